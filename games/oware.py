"""Hooks for Oware: seeds are sown by counting round the board once.

The compiled rule follows the cells one by one, seed by seed, and looks each step up. Here the houses are numbered round
the board; a house's seeds go round in one loop, and what is taken is counted on the way back.
"""

from interpreter.hooks import VALUES_FROM, hook, number, part, table, word


@table
def ROUND(game):
    """The cells counterclockwise: South's houses from the left, then North's from the right."""
    board, houses = game.board, game.params["houses"]
    return [board.cell_at(1, k) for k in range(houses)] + [board.cell_at(0, k) for k in reversed(range(houses))]


@table
def PLACE(game):
    """The place of each cell in that order."""
    board, houses = game.board, game.params["houses"]
    return [board.column_of[cell] if board.row_of[cell] else 2 * houses - 1 - board.column_of[cell]
            for cell in range(board.size)]


@part
def held(state, player):
    """What a player's houses hold."""
    half = len(ROUND) // 2
    many = 0
    for k in range(player * half, player * half + half):
        many += number(state[VALUES_FROM + ROUND[k]])
    return many


@hook("do sow")
def do_sow(state, mover, move):
    """Sow the seeds of a house, and take what the last ones make."""
    size = len(ROUND)
    half = size // 2
    start = PLACE[move[2]]
    left = number(state[VALUES_FROM + move[2]])
    state[VALUES_FROM + move[2]] = word(0)
    k = start
    while left > 0:
        k += 1
        if k == size:
            k = 0
        if k == start:
            continue
        at = VALUES_FROM + ROUND[k]
        state[at] = word(number(state[at]) + 1)
        left -= 1
    low = (1 - mover) * half
    taken = 0
    first = k
    while low <= first < low + half and 2 <= number(state[VALUES_FROM + ROUND[first]]) <= 3:
        taken += number(state[VALUES_FROM + ROUND[first]])
        first -= 1
    if taken > 0 and held(state, 1 - mover) > taken:
        for j in range(first + 1, k + 1):
            state[VALUES_FROM + ROUND[j]] = word(0)
        at = VALUES_FROM + size + mover
        state[at] = word(number(state[at]) + taken)
