"""Random rule files of all kinds, from a seed: one to four players, teams, chance, hidden cards, players who move
together, payoffs, piles, variables with large ranges, repetition rules, forced rules, turn orders, turns again.

`tests.random_games` makes games for two players who see everything, as most solvers need them; these are for engines,
which must agree on any rules (`tests.differential`). Every game ends, by its clock at the latest.
"""

from __future__ import annotations

from random import Random

NAMES = ("A", "B", "C", "D")
LARGE = {"7": 9, "1000": 9, "999999999": 9, "(999999999 * 99999)": 3, "(999999999 * 9999999)": 2,
         "(999999999 * 999999999 * 4)": 0}
"""The largest values of the variable that moves calculate with: below and above 2^31, 2^46, 2^53 and 2^61; each with
the number of the first `_FACTORS` and `_COUNTS` that keep the numbers in between below 2^62, mostly."""

_BOARDS = ("square(2, 2)", "square(2, 3)", "square(3, 3)", "square(1, 5)", "rhombus(2, 3)", "rhombus(3, 3)",
           "triangle(3)", "hexagon(2)", "square(8, 9)")
_MOVES = (
    "place(c in empty):\n    c := own",
    "place(c in empty where no (neighbours(c) and theirs)):\n    c := own",
    "lay(c in empty, n in 1..2):\n    c := own if n = 1 else stone",
    "step(c in mine, d in neighbours(c) and empty):\n    carry c to d",
    "take(c in mine, d in neighbours(c) and theirs):\n    carry c to d",
    "turn(c in theirs where some (neighbours(c) and mine)):\n    c := own",
    "sweep(c in empty):\n    c := own\n    {d in neighbours(c) and theirs} := empty",
    "lift(c in mine where count(mine) > 1):\n    c := empty",
    "hop(c in mine, let e = c.DIRECTION where e is not empty and e.DIRECTION is empty):\n    carry c to e.DIRECTION\n"
    "    e := empty if e is stone",
    "bet(n in 1..3 where points[mover] + n <= 9):\n    points[mover] += n",
    "copy(c in occupied, d in empty where mover in players):\n    d := piece(c)",
)
_TWICE = (
    "double(c in empty):\n    c := own\n    then d in (neighbours(c) and empty):\n        d := own",
    "shoot(c in empty):\n    c := own\n    then d in empty where d in neighbours(c):\n        d := stone",
)
_PILING = (
    "stack(c in mine where height(c) < 3):\n    put own on c",
    "climb(c in mine, d in neighbours(c) and occupied where height(c) + height(d) <= 3):\n    carry c onto d",
    "tuck(c in mine, d in neighbours(c) and theirs where height(d) < 3):\n    carry 1 from c under d",
)
_COUNTS = (
    "total := (total * FACTOR + count(mine) + 1) mod (most + 1)",
    "total := abs(total - FACTOR) mod (most + 1)",
    "total := most - total if total > most div 2 else total + 1",
    "total := (total div 3 + most div 5) mod (most + 1)",
    "total := (total + 1) * (total + 3) mod (most + 1)",
)
_FACTORS = (3, 5, 48271, 999999937)
_ENDS = (
    "win mover when line(mine, 3)",
    "win mover when count(mine) > 2 and count(theirs) = 0",
    "draw when no empty",
    "win mover when count(mine) = 4",
    "win mover when points[mover] > 6",
    "win mover when total mod 11 = 7",
    "win mover when count(theirs) > count(mine) + 1",
)
_ENDS_OF = ("win NAME when line(piece_NAME, 2)", "win NAME when count(piece_NAME) > 2",
            "win NAME when points[NAME] > 4 and total mod 2 = 0")
_WORTH = (
    "count(mine) - count(theirs)",
    "2 * count(own) + points[mover]",
    "1 if some mine else 0 - count(theirs)",
    "total mod 5 + count(mine)",
)
_FORCED = (
    "forced fall(c in occupied where c.DIRECTION is empty):\n    carry c to c.DIRECTION",
    "forced wear(c in stone where count(stone) > 2):\n    c := empty",
    "forced grow(c in empty) until count(occupied) mod 2 = 0:\n    c := own",
)
_AFTER = ("    {c in theirs where no (neighbours(c) - mine)} := own\n",
          "    points[mover] := min(9, points[mover] + 1)\n")
_AGAIN = ("turn again when count(mine) = 2", "turn again when total mod 3 = 0")
_ILLEGAL = ("illegal when count(mine) > 4", "illegal when count(stone) > 3")


def varied(seed: int) -> str:
    """The text of a random game; the checker may refuse it."""
    return _Text(Random(f"varied {seed}")).text()


class _Text:
    """Draws the parts of a game, each with regard to those before it."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.names = NAMES[:dice.choice((1, 2, 2, 2, 3, 3, 3, 4))]
        self.together = len(self.names) > 1 and self.now(6)
        self.teams = self._teams() if len(self.names) > 2 and self.now(3) else {}
        self.sides = len(self.teams) + sum(name not in sum(self.teams.values(), ()) for name in self.names)
        self.board = dice.choice(_BOARDS)
        self.piles = not self.together and "8" not in self.board and self.now(5)
        self.chance = self.now(3)
        self.cards = len(self.names) > 1 and self.now(4)
        self.most = dice.choice((*LARGE, *list(LARGE)[:5]))
        self.last = dice.choice((4, 6, 12, 25))
        if self.now(3):  # a game with few positions, to be solved
            self.board, self.last, self.cards = dice.choice(("square(1, 3)", "square(2, 2)")), 4, False
            self.chance &= self.now(2)

    def now(self, one_in: int) -> bool:
        """True once in so many times."""
        return self.dice.randrange(one_in) == 0

    def counting(self) -> str:
        """An effect that calculates with large numbers."""
        fit = LARGE[self.most]
        text = self.dice.choice(_COUNTS[:max(3, min(len(_COUNTS), fit + 1))])
        return text.replace("FACTOR", str(self.dice.choice(_FACTORS[:max(1, fit)])))

    def some(self, texts: tuple[str, ...], least: int, most: int) -> list[str]:
        """Some of the texts, in random order, with their direction."""
        ways = ("north", "south", "northwest") if self.board[0] == "h" else (
            "east", "west", "northwest" if self.board[0] in "rt" else "south")
        return [text.replace("DIRECTION", self.dice.choice(ways))
                for text in self.dice.sample(texts, self.dice.randint(least, min(most, len(texts))))]

    def _teams(self) -> dict[str, tuple[str, ...]]:
        names = list(self.names)
        self.dice.shuffle(names)
        teams = {"Duo": (names[0], names[1])}
        if len(names) == 4 and self.now(2):
            teams["Pair"] = (names[2], names[3])
        return {team: tuple(sorted(players)) for team, players in teams.items()}

    def text(self) -> str:
        """The whole game."""
        lines = (*self._head(), "", *self._moves(), *self._rules(), *self._ends(), *self._worth())
        return "\n".join(lines).replace("LAST", str(self.last)) + "\n"

    def _head(self) -> list[str]:
        names = self.names
        lines = ['game "Varied"', f"players {', '.join(names)}"]
        lines += [f"team {team} = {', '.join(players)}" for team, players in self.teams.items()]
        if not self.together and len(names) > 1 and self.now(6):
            order = [*names, self.dice.choice(names)]
            self.dice.shuffle(order)
            lines.append(f"turn order {', '.join(order)}")
        lines += ["players move together"] * self.together
        lines += [f"board {self.board}", f"pieces {', '.join(f'piece_{name} of {name}' for name in names)}, stone"]
        lines += ["piles up to 3"] * self.piles
        lines += [f"var total in 0..{self.most}", "var points[player] in 0..9",
                  f"var clock in 0..{self.last}", f"define most = {self.most}"]
        lines += ["var die in 0..3"] * self.chance
        if self.cards:
            lines += ["var card[player] in 0..3", "hidden card[p] from others of p" + " when clock < 4" * self.now(2)]
        if len(names) > 1 and self.now(6):
            lines.append("hidden c in theirs where no (neighbours(c) and mine)")
        if self.now(2):
            places = ["a1", "a2" if self.board[0] == "t" else "b1"]
            lines += ["start:", *(f'    "{place}" := piece_{name}'
                                  for place, name in zip(places, names, strict=False)),
                      f"    total := {self.dice.choice(('0', '5', self.most))}"]
        return lines

    def _moves(self) -> list[str]:
        moves = self.some(_MOVES, 1, 3)
        if not self.together:
            moves += self.some(_TWICE, 0, 1) if self.now(3) else []
            moves += self.some(_PILING, 1, 2) if self.piles else []
        if self.cards:
            moves.append("call(n in 0..2 where card[mover] + points[mover] < 9):\n"
                         "    points[mover] := min(9, points[mover] + (n if n < card[mover] else 0))")
        result = []
        for number, move in enumerate(moves):
            head, _, body = move.partition(":\n")
            then = "\n    then" in body
            name, bracket, rest = head.partition("(")
            when = " when die > 0" * self.chance
            first, mark, further = body.partition("\n    then")
            effects = [self.counting(), *["die := 0"] * self.chance] if not then or self.now(2) else []
            effects += ["die := 0"] * (self.chance and "die := 0" not in effects)
            lines = "".join(f"\n    {effect}" for effect in effects)
            result.append(f"move {name}{number}{bracket}{rest}{when}:\n{first}{lines}{mark}{further}\n")
        if self.chance:
            weight = self.dice.choice(("", " weight d", " weight 4 - d", " weight d * total + 1"
                                       if len(self.most) < 6 else " weight count(mine) + d"))
            result.append(f"chance roll(d in 1..3){weight} when die = 0:\n    die := d\n")
        if self.cards:
            given = " and die > 0" * self.chance
            result.append(f"chance deal(d in 1..3) when card[mover] = 0{given}:\n    card[mover] := d\n")
        return result

    def _rules(self) -> list[str]:
        after = "" if self.together else "".join(self.some(_AFTER, 0, 1))
        lines = [f"after every move:\n{after}    clock := min(clock + 1, LAST)\n"]
        if self.now(4) and not self.together:
            lines += [f"{rule}\n" for rule in self.some(_FORCED, 1, 1)]
        if not self.together:
            lines += self.some(_AGAIN, 0, 1) if self.now(3) else []
            lines += self.some(_ILLEGAL, 0, 1) if self.now(4) else []
            lines += ["pass when count(mine) > 1"] * self.now(6)
            lines += ["only moves with most count(occupied)"] * self.now(10)
        return lines

    def _ends(self) -> list[str]:
        if self.together:
            ends = [end.replace("NAME", name) for end in self.some(_ENDS_OF, 1, 2) for name in self.names]
        else:
            ends = self.some(_ENDS, 1, 3)
            if self.sides == 2 and self.now(3):
                ends.append("lose mover when count(mine) = 3")
            if self.teams and self.now(2):
                ends.append("win mover when line(mine + allies, 3)")
        ends.append(self.dice.choice(("draw when clock = LAST", "win A when clock = LAST and total mod 2 = 0\n"
                                      "draw when clock = LAST")))
        stuck = ["draws", "passes"] if len(self.names) > 1 and not self.together else ["draws"]
        if self.sides == 2 and not self.together and (not self.teams or self.now(3)):  # few kernels have these of teams
            stuck += ["loses", "wins"]
        ends.append(f"no moves {self.dice.choice(stuck)}")
        if self.now(4) and not self.chance and not self.cards and not self.together:
            results = ("draws", "forbidden", *["loses"] * (len(self.names) == 2))
            ends.append(f"repetition {self.dice.choice(results)}"
                        + self.dice.choice(("", " at third")))
        return ends

    def _worth(self) -> list[str]:
        lines = [f"value {self.dice.choice(('count(mine) - count(theirs)', 'total mod 100 - count(theirs)'))}"
                 ] * (len(self.names) == 2 and self.now(3))
        if self.now(2):
            if self.now(2):
                lines.append(f"payoff each = {self.dice.choice(_WORTH)}")
            else:
                names = self.names[:1] if len(self.names) == 2 else self.names
                lines += [f"payoff {name} = {self.dice.choice(_WORTH)}" for name in names]
        return lines
