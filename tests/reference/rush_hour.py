"""Rush Hour (N. Yoshigahara): cars move lengthwise only, and the car X must reach the right end of its row.

Card 1 takes at least 8 moves, where a move takes a car any number of cells; card 2, from M. Fogleman's list of all
positions, takes 51, more than any other without walls. A move is the letter, the direction and the number of cells.
"""

from __future__ import annotations

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"card": 2}]

CARDS = {1: "AA...BC..D.BCXXD.BC..D..E...FFE.GGG.", 2: "ABB.C.ADE.CFADEXXFGGGH.F..IHJJKKILL."}
WAYS = {"north": -6, "south": 6, "west": -1, "east": 1}

State = str
"""The cells from the upper left, row by row: a car's letter or a dot."""


class Reference(Rules[State]):
    """Rush Hour with one of the cards."""

    def __init__(self, *, card: int = 1) -> None:
        self.card = card

    def start(self) -> State:
        return CARDS[self.card]

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        return "Player" if "X" in state[5::6] else None

    def options(self, state: State) -> list[str]:
        found = []
        for car in sorted({*state} - {"."}):
            cells = [number for number, sign in enumerate(state) if sign == car]
            upright = cells[1] - cells[0] == 6
            for way in ("north", "south") if upright else ("west", "east"):
                front = cells[-1] if WAYS[way] > 0 else cells[0]
                far = 0
                while self.beside(front, way) is not None and state[front + WAYS[way]] == ".":
                    far, front = far + 1, front + WAYS[way]
                    found.append(f"{car}{way}{far}")
        return found

    def beside(self, number: int, way: str) -> int | None:
        """The next cell in a direction, None past the edge."""
        row, column = divmod(number, 6)
        row, column = row + {"north": -1, "south": 1}.get(way, 0), column + {"west": -1, "east": 1}.get(way, 0)
        return 6 * row + column if 0 <= row < 6 and 0 <= column < 6 else None

    def after(self, state: State, move: str) -> State:
        car, way, far = move[0], move[1:-1], int(move[-1])
        moved = {number + far * WAYS[way] for number, sign in enumerate(state) if sign == car}
        return "".join(car if number in moved else "." if sign == car else sign for number, sign in enumerate(state))

    def board(self, state: State) -> dict[str, str]:
        return {f"{'abcdef'[number % 6]}{6 - number // 6}": "red" if sign == "X" else sign
                for number, sign in enumerate(state) if sign != "."}
