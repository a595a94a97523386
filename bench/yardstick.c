/* Random games as one writes them by hand in C: a fixed yardstick for kernels, compiled and run by bench/kernels.py.
 *
 * A board is an array of bytes with a border, so that steps need no bounds. What costs nothing in cleverness is kept
 * from move to move: the list of empty cells or open columns, the men of each side, the groups of stones. Ends are
 * looked for around the last move. No bit boards, no tables made in advance.
 *
 * Each function plays random games, every legal move as likely as any other, and returns the number of all moves;
 * results counts draws, games of the first player and of the second one; squares is the sum of the squared lengths.
 */

#include <stdint.h>
#include <string.h>

/* ---- random numbers: SplitMix64, and its upper half scaled to a range */

static inline uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline int below(uint64_t *state, int limit)
{
    return (int)(((next_random(state) >> 32) * (uint64_t)limit) >> 32);
}

enum { EMPTY = 0, FIRST = 1, SECOND = 2, BORDER = 3 };

/* How many stones of a colour there are from a cell on in a direction, the cell itself not counted. */
static inline int run_length(const uint8_t *board, int cell, int step, uint8_t colour)
{
    int count = 0;
    for (cell += step; board[cell] == colour; cell += step)
        count++;
    return count;
}

/* ---- three in a row on 3 x 3 cells */

enum { TTT_WIDTH = 5 };

int64_t tic_tac_toe(int64_t games, uint64_t seed, int64_t *results, int64_t *squares)
{
    static const int steps[4] = {1, TTT_WIDTH, TTT_WIDTH + 1, TTT_WIDTH - 1};
    uint8_t first_board[25], board[25], first_empty[9], empty[9];
    int64_t plies = 0;
    int count = 0;
    memset(first_board, BORDER, sizeof first_board);
    for (int row = 1; row <= 3; row++)
        for (int column = 1; column <= 3; column++) {
            first_board[row * TTT_WIDTH + column] = EMPTY;
            first_empty[count++] = (uint8_t)(row * TTT_WIDTH + column);
        }
    for (int64_t game = 0; game < games; game++) {
        int left = 9, winner = 0;
        uint8_t colour = FIRST;
        memcpy(board, first_board, sizeof board);
        memcpy(empty, first_empty, sizeof empty);
        while (left > 0 && !winner) {
            int k = below(&seed, left), cell = empty[k];
            empty[k] = empty[--left];
            board[cell] = colour;
            for (int d = 0; d < 4; d++)
                if (run_length(board, cell, steps[d], colour) + run_length(board, cell, -steps[d], colour) >= 2)
                    winner = colour;
            colour = (uint8_t)(FIRST + SECOND - colour);
        }
        results[winner]++;
        plies += 9 - left;
        *squares += (9 - left) * (9 - left);
    }
    return plies;
}

/* ---- four in a row on 6 rows of 7, stones fall */

enum { C4_COLUMNS = 7, C4_ROWS = 6, C4_WIDTH = 9 };

int64_t connect_four(int64_t games, uint64_t seed, int64_t *results, int64_t *squares)
{
    static const int steps[4] = {1, C4_WIDTH, C4_WIDTH + 1, C4_WIDTH - 1};
    uint8_t first_board[C4_WIDTH * (C4_ROWS + 2)], board[sizeof first_board];
    int64_t plies = 0;
    memset(first_board, BORDER, sizeof first_board);
    for (int row = 1; row <= C4_ROWS; row++)
        memset(first_board + row * C4_WIDTH + 1, EMPTY, C4_COLUMNS);
    for (int64_t game = 0; game < games; game++) {
        uint8_t open[C4_COLUMNS], top[C4_COLUMNS], colour = FIRST; /* open columns; the next free cell of each */
        int count = C4_COLUMNS, winner = 0, length = 0;
        memcpy(board, first_board, sizeof board);
        for (int column = 0; column < C4_COLUMNS; column++) {
            open[column] = (uint8_t)column;
            top[column] = (uint8_t)(C4_WIDTH + 1 + column);
        }
        while (count > 0 && !winner) {
            int k = below(&seed, count), cell = top[open[k]];
            board[cell] = colour;
            top[open[k]] = (uint8_t)(cell + C4_WIDTH);
            if (board[cell + C4_WIDTH] == BORDER)
                open[k] = open[--count];
            for (int d = 0; d < 4; d++)
                if (run_length(board, cell, steps[d], colour) + run_length(board, cell, -steps[d], colour) >= 3)
                    winner = colour;
            colour = (uint8_t)(FIRST + SECOND - colour);
            length++;
        }
        results[winner]++;
        plies += length;
        *squares += length * length;
    }
    return plies;
}

/* ---- connecting two sides of a rhombus of 11 x 11 hexagons: groups by union and find, the four sides are nodes */

enum { HEX_SIZE = 11, HEX_WIDTH = 13, HEX_CELLS = HEX_SIZE * HEX_SIZE, HEX_NODES = HEX_WIDTH * HEX_WIDTH + 4 };

static inline int group_of(uint8_t *parent, int node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

int64_t hex(int64_t games, uint64_t seed, int64_t *results, int64_t *squares)
{
    static const int steps[6] = {1, -1, HEX_WIDTH, -HEX_WIDTH, HEX_WIDTH - 1, 1 - HEX_WIDTH};
    enum { TOP = HEX_WIDTH * HEX_WIDTH, BOTTOM, LEFT, RIGHT };
    uint8_t first_board[HEX_WIDTH * HEX_WIDTH], board[sizeof first_board];
    uint8_t first_empty[HEX_CELLS], empty[HEX_CELLS], first_parent[HEX_NODES], parent[HEX_NODES];
    int64_t plies = 0;
    int count = 0;
    memset(first_board, BORDER, sizeof first_board);
    for (int row = 1; row <= HEX_SIZE; row++)
        for (int column = 1; column <= HEX_SIZE; column++) {
            first_board[row * HEX_WIDTH + column] = EMPTY;
            first_empty[count++] = (uint8_t)(row * HEX_WIDTH + column);
        }
    for (int node = 0; node < HEX_NODES; node++)
        first_parent[node] = (uint8_t)node;
    for (int64_t game = 0; game < games; game++) {
        int left = HEX_CELLS, winner = 0;
        uint8_t colour = FIRST;
        memcpy(board, first_board, sizeof board);
        memcpy(empty, first_empty, sizeof empty);
        memcpy(parent, first_parent, sizeof parent);
        while (!winner) {
            int k = below(&seed, left), cell = empty[k];
            int group = cell, one = colour == FIRST ? TOP : LEFT, other = colour == FIRST ? BOTTOM : RIGHT;
            int line = colour == FIRST ? cell / HEX_WIDTH : cell % HEX_WIDTH;
            empty[k] = empty[--left];
            board[cell] = colour;
            for (int d = 0; d < 6; d++)
                if (board[cell + steps[d]] == colour) {
                    int root = group_of(parent, cell + steps[d]);
                    parent[group] = (uint8_t)root;
                    group = root;
                }
            if (line == 1)
                parent[group_of(parent, one)] = (uint8_t)group;
            if (line == HEX_SIZE)
                parent[group_of(parent, other)] = (uint8_t)group;
            if (group_of(parent, one) == group_of(parent, other))
                winner = colour;
            colour = (uint8_t)(FIRST + SECOND - colour);
        }
        results[winner]++;
        plies += HEX_CELLS - left;
        *squares += (HEX_CELLS - left) * (HEX_CELLS - left);
    }
    return plies;
}

/* ---- men that go ahead and capture diagonally, 8 x 8 cells; the first in the far row wins */

enum { BT_WIDTH = 10, BT_MEN = 16 };

int64_t breakthrough(int64_t games, uint64_t seed, int64_t *results, int64_t *squares)
{
    uint8_t first_board[BT_WIDTH * BT_WIDTH], board[sizeof first_board];
    uint8_t first_men[2][BT_MEN], men[2][BT_MEN], place[BT_WIDTH * BT_WIDTH]; /* where a man is in its side's list */
    int64_t plies = 0;
    int numbers[2] = {0, 0};
    memset(first_board, BORDER, sizeof first_board);
    for (int row = 1; row <= 8; row++)
        for (int column = 1; column <= 8; column++) {
            int cell = row * BT_WIDTH + column, side = row >= 7 ? 0 : row <= 2 ? 1 : -1;
            first_board[cell] = side == 0 ? FIRST : side == 1 ? SECOND : EMPTY;
            if (side >= 0)
                first_men[side][numbers[side]++] = (uint8_t)cell;
        }
    for (int64_t game = 0; game < games; game++) {
        int side = 0, winner = 0, length = 0, count[2] = {BT_MEN, BT_MEN};
        memcpy(board, first_board, sizeof board);
        memcpy(men, first_men, sizeof men);
        for (int k = 0; k < BT_MEN; k++)
            place[men[0][k]] = place[men[1][k]] = (uint8_t)k;
        while (!winner) {
            uint8_t from[3 * BT_MEN], to[3 * BT_MEN], own = (uint8_t)(FIRST + side);
            int step = side == 0 ? -BT_WIDTH : BT_WIDTH, moves = 0;
            for (int k = 0; k < count[side]; k++) {
                int cell = men[side][k], ahead = cell + step;
                if (board[ahead] == EMPTY) {
                    from[moves] = (uint8_t)cell;
                    to[moves++] = (uint8_t)ahead;
                }
                for (int across = -1; across <= 1; across += 2)
                    if (board[ahead + across] != own && board[ahead + across] != BORDER) {
                        from[moves] = (uint8_t)cell;
                        to[moves++] = (uint8_t)(ahead + across);
                    }
            }
            int k = below(&seed, moves), start = from[k], end = to[k], other = 1 - side;
            if (board[end] != EMPTY) {
                uint8_t last = men[other][--count[other]];
                men[other][place[end]] = last;
                place[last] = place[end];
            }
            men[side][place[start]] = (uint8_t)end;
            place[end] = place[start];
            board[start] = EMPTY;
            board[end] = own;
            length++;
            if (end / BT_WIDTH == (side == 0 ? 1 : 8) || count[other] == 0)
                winner = own;
            side = other;
        }
        results[winner]++;
        plies += length;
        *squares += length * length;
    }
    return plies;
}
