"""Device functions, a thread for each game: load the game's position, call the kernel, and store the result.

These functions are read as text and compiled together with a game's kernel, whose functions and constants they use;
they are written in the common subset of GPU code and plain Python (`interpreter.device.program`). Positions are stored
word by word, `states[word, place]`, so that the threads of a warp read adjacent memory.

Arrays of a launch, with a value for each of n games: `states` uint64[WIDTH, n]; `failures` int64[n]: nonzero on entry
where the game is to be processed, and afterwards 0 on success, the number of the rule's failure, or 1 where there is
too little room; `seeds` and `chance` uint64[n], each game's random sequence; `plies`, `limits`, `counts`, `actions`,
`movers` and `viewers` int64[n]; `marks` bool[n, actions]; `terminated` and `truncated` bool[n]; `rewards`
float32[n, players]; `history` uint64[limit + 1, n]. Shared by all games: `offsets`, `lows` and `strides` as in
`runtime.batches`, `table` int64[actions, MOVE_WIDTH], `by_chance` int64[rules], `aside` int64[variables], `sides`
int64[players]. Local to a thread: `state` and `spare` uint64[WIDTH], `own_rows` uint64[rows, WIDTH], `scratch`,
`entries`, `move` as in `runtime.moves`.
"""
# ruff: noqa: F821
# mypy: ignore-errors
# The kernel's names are undefined until this text is compiled with a game.


def thread_load(states, place, state):
    """Load the position of a game into `state`."""
    for k in range(WIDTH):
        if k < VALUES_FROM or k > POSITION:
            state[k] = word(states[k, place])
        else:
            state[k] = signed(states[k, place])


def thread_store(states, place, state):
    """Store `state` as the position of a game."""
    for k in range(WIDTH):
        states[k, place] = stored(state[k])


def play_thread(states, seeds, limits, plies, failures):
    """Play random moves until the game is over or its limit is reached; where a rule fails the position is unchanged.
    """
    place = cuda.grid(1)
    if place < len(plies) and failures[place] != 0:
        own_rows = rows(1, WIDTH)
        scratch = rows(PLAYING, WIDTH)
        entries = numbers(ROOM, ENTRY_WIDTH)
        move = line(MOVE_WIDTH)
        state = own_rows[0]
        thread_load(states, place, state)
        count = play(state, word(seeds[place]), number(limits[place]), entries, scratch, move)
        failures[place] = number(state[FAILED])
        if state[FAILED] == EMPTY:
            plies[place] = count
            thread_store(states, place, state)


def mark_thread(states, offsets, lows, strides, marks, counts, failures):
    """Mark the legal actions, and count the legal moves; the failure is -1 where a legal move has no action.

    On failure no action is marked.
    """
    place = cuda.grid(1)
    if place < len(counts) and failures[place] != 0:
        own_rows = rows(1, WIDTH)
        entries = numbers(ROOM, ENTRY_WIDTH)
        move_rows = numbers(ROOM, MOVE_WIDTH)
        thread_load(states, place, own_rows[0])
        done = mark_many(
            own_rows, 0, 1, offsets, lows, strides, entries, move_rows, marks[place:place + 1], counts[place:place + 1])
        failures[place] = -1 if done < 0 else number(own_rows[0, FAILED])
        if failures[place] != 0:
            closed(place, marks, counts)


def closed(place, marks, counts):
    """Clear a game's legal actions and their count."""
    counts[place] = 0
    for action in range(marks.shape[1]):
        marks[place, action] = False


def count_thread(states, counts, failures):
    """Count the legal moves."""
    place = cuda.grid(1)
    if place < len(counts) and failures[place] != 0:
        own_rows = rows(1, WIDTH)
        entries = numbers(ROOM, ENTRY_WIDTH)
        move_rows = numbers(ROOM, MOVE_WIDTH)
        thread_load(states, place, own_rows[0])
        count_many(own_rows, 0, 1, entries, move_rows, counts[place:place + 1])
        failures[place] = number(own_rows[0, FAILED])


def show_thread(states, viewers, entries, shown, to_move, seats, result):
    """Write feature planes, float32 (n, places), as defined by `dslgame.planes`: the entry of each place, and its
    encoding.

    viewers: int64 (n,), the player whose view it is, -1 for the player to move; to_move, seats: the numbers of the
    words that hold these. The places of all games are divided among the threads, adjacent threads writing adjacent
    places.
    """
    places = result.shape[1]
    for at in range(cuda.grid(1), result.shape[0] * places, cuda.gridsize(1)):
        place = at // places
        spot = at - place * places
        side = number(viewers[place])
        if side < 0:
            side = number(states[to_move, place])
        entry = number(shown[side ^ number(states[seats, place]), spot])
        bits = word(states[number(entries[entry, 0]), place]) >> word(entries[entry, 1]) & word(entries[entry, 2])
        value = number(signed(bits))
        offset = number(entries[entry, 3])
        span = number(entries[entry, 4])
        if span == 0:
            result[place, spot] = 1 if value == offset else 0
        elif value == number(entries[entry, 5]):
            result[place, spot] = -1
        else:
            result[place, spot] = (value - offset) / span


def repeated(state, spare, history, place, made, aside):
    """Record the position after `made` moves in the history; how often it occurred before. `spare` is a scratch row."""
    for k in range(WIDTH):
        spare[k] = state[k]
    for k in range(len(aside)):
        spare[VALUES_FROM + aside[k]] = EMPTY
    result = key(spare)
    earlier = 0
    for k in range(made):
        if word(history[k, place]) == result:
            earlier += 1
    history[made, place] = stored(result)
    return earlier


def apply_thread(states, moves, failures):
    """Play a move, `moves` being int64 (n, MOVE_WIDTH); where a rule fails the position is unchanged."""
    place = cuda.grid(1)
    if place < len(moves) and failures[place] != 0:
        own_rows = rows(1, WIDTH)
        state = own_rows[0]
        scratch = rows(SCRATCH, WIDTH)
        entries = numbers(ROOM, ENTRY_WIDTH)
        move = line(MOVE_WIDTH)
        thread_load(states, place, state)
        for i in range(MOVE_WIDTH):
            move[i] = number(moves[place, i])
        apply(state, move, entries, scratch)
        failures[place] = number(state[FAILED])
        if state[FAILED] == EMPTY:
            thread_store(states, place, state)


def nothing_happens(state, seed, by_chance, entries, scratch, move):
    """Return the seed: stands in for `happened` in a game without chance."""
    return seed


def happened(state, seed, by_chance, entries, scratch, move):
    """Play random moves of chance until a player is to move or the game is over; the new state of the sequence.

    `by_chance` is nonzero for each move rule whose moves are of chance.
    """
    deciding = True
    while deciding and state[FAILED] == EMPTY and number(state[OUTCOME]) == GOING:
        deciding = False
        n = offered(state, entries, scratch)
        if state[FAILED] == EMPTY and total(entries, n) > 0:
            e = 0
            while entries[e, 1] == 0:
                e += 1
            take(entries, e, 0, move)
            if move[0] >= 0 and by_chance[move[0]] != 0:
                seed = stir(seed)
                play(state, scramble(seed), 1, entries, scratch, move)
                deciding = True
    return seed


def chosen_by_table(own_rows, table, action, entries, move):
    """Write the move of an action, from `table`, into `move`; always True."""
    for i in range(MOVE_WIDTH):
        move[i] = number(table[action, i])
    return True


def chosen_by_list(own_rows, table, action, entries, move):
    """Write the legal move with number `action` in the list of moves into `move`; whether there is one."""
    chosen = line(1)
    result = numbers(1, MOVE_WIDTH)
    move_rows = numbers(ROOM, MOVE_WIDTH)
    chosen[0] = action
    result[0, 0] = -9
    choose_many(own_rows, 0, 1, chosen, entries, move_rows, result)
    for i in range(MOVE_WIDTH):
        move[i] = result[0, i]
    return result[0, 0] != -9


def list_thread(states, marks, counts, failures):
    """Mark as actions the numbers of the legal moves in their list, and count them; the failure is -3 where there are
    more than actions.

    On failure no action is marked.
    """
    place = cuda.grid(1)
    if place < len(counts) and failures[place] != 0:
        own_rows = rows(1, WIDTH)
        entries = numbers(ROOM, ENTRY_WIDTH)
        move_rows = numbers(ROOM, MOVE_WIDTH)
        thread_load(states, place, own_rows[0])
        count = line(1)
        count[0] = 0
        if number(own_rows[0, OUTCOME]) == GOING:
            count_many(own_rows, 0, 1, entries, move_rows, count)
        failures[place] = -3 if count[0] > marks.shape[1] else number(own_rows[0, FAILED])
        counts[place] = count[0]
        for action in range(marks.shape[1]):
            marks[place, action] = action < count[0]
        if failures[place] != 0:
            closed(place, marks, counts)


def begun(own_rows, seed, by_chance, history, place, aside, times, entries, scratch, move):
    """Play the moves of chance before a game's first move, and record its first position; the sequence's new state.

    `own_rows` holds the game's start, and a scratch row. The position is recorded only where `times` is not 0.
    """
    seed = happened(own_rows[0], seed, by_chance, entries, scratch, move)
    if times > 0 and own_rows[0, FAILED] == EMPTY:
        repeated(own_rows[0], own_rows[1], history, place, 0, aside)
    return seed


def begin_thread(states, chance, by_chance, history, aside, times, failures):
    """Play the moves of chance before a game's first move, and record its first position where repetitions count."""
    place = cuda.grid(1)
    if place < len(chance) and failures[place] != 0:
        own_rows = rows(2, WIDTH)
        scratch = rows(STEPPING, WIDTH)
        entries = numbers(ROOM, ENTRY_WIDTH)
        move = line(MOVE_WIDTH)
        thread_load(states, place, own_rows[0])
        seed = begun(own_rows, word(chance[place]), by_chance, history, place, aside, times, entries, scratch, move)
        failures[place] = number(own_rows[0, FAILED])
        if own_rows[0, FAILED] == EMPTY:
            chance[place] = stored(seed)
            thread_store(states, place, own_rows[0])


def step_thread(states, start, table, actions, marks, plies, limit, again, history, aside, times, loses, chance,
                by_chance, sides, rewards, terminated, truncated, movers, failures):
    """Play an action in a game that is not over, store the results, and with `again` restart a game that ended.

    `table` has the moves of actions; it is empty where actions are numbers in the list of legal moves. `marks` has the
    legal actions; an illegal action is the failure -2, and leaves the game unchanged. `limit` is the most moves of a
    game, 0 for no limit, and `again` says whether games restart: a game that chance ended before a player moved
    restarts instead of making a move, and pays nothing. Where a position occurred `times` before, unless that is 0, the
    game is drawn, or lost by the player who repeated it (`loses`); `history` is uint64 (limit + 1, n), the keys of each
    game's positions without the variables `aside`. Moves of chance are drawn by each game's own sequence, `chance`,
    until a player is to move. `sides` has for each player the first player of its team.
    """
    place = cuda.grid(1)
    if place < len(plies) and failures[place] != 0:
        own_rows = rows(2, WIDTH)
        state = own_rows[0]
        thread_load(states, place, state)
        movers[place] = number(state[TO_MOVE])
        going = number(state[OUTCOME]) == GOING
        terminated[place] = not going
        truncated[place] = going and limit > 0 and plies[place] >= limit
        failures[place] = 0
        for player in range(rewards.shape[1]):
            rewards[place, player] = 0.0
        action = number(actions[place])
        if again or (going and not truncated[place]):
            scratch = rows(STEPPING, WIDTH)
            entries = numbers(ROOM, ENTRY_WIDTH)
            move = line(MOVE_WIDTH)
            seed = word(chance[place])
            made, result, cut, failed = plies[place], number(state[OUTCOME]), False, 0
            if going:
                if action < 0 or action >= marks.shape[1] or not marks[place, action]:
                    failed = -2
                elif not chosen(own_rows, table, action, entries, move):
                    failed = number(state[FAILED]) if state[FAILED] != EMPTY else -2
                else:
                    apply(state, move, entries, scratch)
                    if state[FAILED] == EMPTY:
                        seed = happened(state, seed, by_chance, entries, scratch, move)
                    failed = number(state[FAILED])
                if failed == 0:
                    made += 1
                    earlier = repeated(state, own_rows[1], history, place, made, aside) if times > 0 else 0
                    if times > 0 and earlier >= times and number(state[OUTCOME]) == GOING:
                        state[OUTCOME] = word(1 - movers[place] if loses else DRAW)
                    result = number(state[OUTCOME])
                    cut = result == GOING and limit > 0 and made >= limit
            if failed == 0 and again and (result != GOING or cut):
                thread_load(start, 0, state)
                seed = begun(own_rows, seed, by_chance, history, place, aside, times, entries, scratch, move)
                failed = number(state[FAILED])
                made = 0
            if failed == 0:
                plies[place] = made
                terminated[place] = result != GOING
                truncated[place] = cut
                if going and result >= 0:
                    pay(rewards, place, result, sides)
                chance[place] = stored(seed)
                thread_store(states, place, state)
            failures[place] = failed


def pay(rewards, place, winner, sides):
    """Reward the winners with 1 each, and the others so that the sum is 0."""
    players = rewards.shape[1]
    count = 0
    for player in range(players):
        if sides[player] == winner:
            count += 1
    for player in range(players):
        if sides[player] == winner:
            rewards[place, player] = 1.0
        elif players > 1:
            rewards[place, player] = -count / max(1, players - count)


def close_thread(plies, limit, marks, counts):
    """Clear the legal actions of games that reached the limit of moves, where games do not restart."""
    place = cuda.grid(1)
    if place < len(plies) and plies[place] >= limit:
        closed(place, marks, counts)


def sample_thread(marks, counts, seeds, actions):
    """Draw a legal action uniformly at random, by the game's random sequence; 0 where there is none."""
    place = cuda.grid(1)
    if place < len(actions):
        actions[place] = 0
        seeds[place] = stored(stir(word(seeds[place])))
        left = below(scramble(word(seeds[place])), number(counts[place]))
        if counts[place] > 0:
            for action in range(marks.shape[1]):
                if marks[place, action]:
                    if left == 0:
                        actions[place] = action
                        break
                    left -= 1


def perft_thread(states, depth, counts, failures):
    """Count the sequences of `depth` moves, fewer than LEVELS, from a position.

    The last moves are only counted, not played, unless a rule may reject them (TAKEN_BACK).
    """
    place = cuda.grid(1)
    if place < len(counts) and failures[place] != 0:
        level_rows = rows(LEVELS, WIDTH)
        scratch = rows(SCRATCH, WIDTH)
        entries = numbers(ENTRIES, ENTRY_WIDTH)
        at = numbers(LEVELS, 3)
        move = line(MOVE_WIDTH)
        thread_load(states, place, level_rows[0])
        result = 0
        level = 0
        at[0, 0] = -1
        failures[place] = 0
        while level >= 0 and failures[place] == 0:
            state = level_rows[level]
            level_entries = entries[level * ROOM:(level + 1) * ROOM]
            if at[level, 0] < 0:
                n = offered(state, level_entries, scratch) if number(state[OUTCOME]) == GOING else 0
                if state[FAILED] != EMPTY:
                    failures[place] = number(state[FAILED])
                elif TAKEN_BACK == 0 and level + 1 == depth:
                    result += total(level_entries, n)
                    n = 0
                at[level, 0] = n
                at[level, 1] = 0
                at[level, 2] = 0
            elif at[level, 1] >= at[level, 0]:
                level -= 1
            elif at[level, 2] >= level_entries[at[level, 1], 1]:
                at[level, 1] += 1
                at[level, 2] = 0
            else:
                take(level_entries, at[level, 1], at[level, 2], move)
                at[level, 2] += 1
                following = level_rows[level + 1]
                for k in range(WIDTH):
                    following[k] = state[k]
                code = apply(following, move, entries[ENTRIES - ROOM:], scratch)
                if following[FAILED] != EMPTY:
                    failures[place] = number(following[FAILED])
                elif code == 0:
                    if level + 1 == depth:
                        result += 1
                    else:
                        level += 1
                        at[level, 0] = -1
        counts[place] = result
