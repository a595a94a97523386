"""What a thread does with its game: load its position, call the kernel, and store what came of it.

These functions are read as text and compiled with a game's kernel, whose functions and constants they name; they are
written in what GPUs and plain Python have in common (`interpreter.device.program`). A position's words lie apart,
`states[word, place]`, so that the threads of a warp read neighbours.

Arrays of a launch, with a value for each of n games: `states` uint64[WIDTH, n]; `failures` int64[n]: not 0 where there
is something to do, and then 0 where it was done, the number of the rule's failure, or 1 where there is too little room;
`seeds` and `chance` uint64[n], each game's random sequence; `plies`, `limits`, `counts`, `actions`, `movers` and
`viewers` int64[n]; `marks` bool[n, actions]; `terminated` and `truncated` bool[n]; `rewards` float32[n, players];
`history` uint64[limit + 1, n]. The same for all games: `offsets`, `lows` and `strides` as `runtime.batches` has them,
`table` int64[actions, MOVE_WIDTH], `by_chance` int64[rules], `aside` int64[variables], `sides` int64[players]. A
thread's own: `state` and `spare` uint64[WIDTH], `own_rows` uint64[rows, WIDTH], `scratch`, `entries`, `move` as
`runtime.moves` has them.
"""
# ruff: noqa: F821
# mypy: ignore-errors
# The names of kernels are not there before there is a game.


def thread_load(states, place, state):
    """Take a position from its place."""
    for k in range(WIDTH):
        if k < VALUES_FROM or k > POSITION:
            state[k] = word(states[k, place])
        else:
            state[k] = signed(states[k, place])


def thread_store(states, place, state):
    """Put a position into its place."""
    for k in range(WIDTH):
        states[k, place] = stored(state[k])


def play_thread(states, seeds, limits, plies, failures):
    """Play random moves until the game is over, or has had so many; a position in which a rule fails stays."""
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
    """Mark the actions that are legal, and count the legal moves; -1 is the failure where one has no action.

    Where this fails no action is marked.
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
    """Leave a game no legal action."""
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
    """Write planes, float32 (n, places), as `dslgame.planes` says: which entry stands where, and what it shows.

    viewers: int64 (n,), the player who looks, -1 for the player to move; to_move, seats: the words that have these.
    Threads share the places of all games, neighbours writing neighbours.
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
    """Note a position after so many moves of a game; how often it was there before. `spare` is room for a position."""
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
    """Carry out a move of each position, `moves` being int64 (n, MOVE_WIDTH); those in which a rule fails stay."""
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
    """Where nothing is left to chance."""
    return seed


def happened(state, seed, by_chance, entries, scratch, move):
    """Draw moves of chance until a player is to move, or the game is over; the sequence goes on from what is given.

    `by_chance` says of each move rule whether its moves are nature's.
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
    """Write the move of an action into `move`; whether there is one."""
    for i in range(MOVE_WIDTH):
        move[i] = number(table[action, i])
    return True


def chosen_by_list(own_rows, table, action, entries, move):
    """Write the legal move with a number into `move`, in the order of the list; whether there is one."""
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
    """Mark the numbers of legal moves in their list, and count these; -3 is the failure where there are too many.

    Where this fails no action is marked.
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
    """Let chance decide before the first move of a game, and note its first position; the sequence goes on from there.

    `own_rows` is a game's start, and room for another position.
    """
    seed = happened(own_rows[0], seed, by_chance, entries, scratch, move)
    if times > 0 and own_rows[0, FAILED] == EMPTY:
        repeated(own_rows[0], own_rows[1], history, place, 0, aside)
    return seed


def begin_thread(states, chance, by_chance, history, aside, times, failures):
    """Let chance decide before the first move of a game, and note its first position where one may be repeated."""
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
    """Carry out an action of a game that goes on: what it led to, and a new game in the place of one that ended.

    `table` has the moves of actions, and none where actions are numbers in the list of legal moves; `marks` says which
    are legal; an action that is not is the failure -2, and the game stays as it was. `limit` is the most moves of a
    game, 0 for no limit, and `again` says whether games begin anew: one that chance ended before a player moved does so
    instead of a move, and pays nothing. Where a position was there `times` before, unless
    that is 0, the game is drawn, or lost by who made it so (`loses`); `history` is uint64 (limit + 1, n), the keys of
    each game's positions without the variables `aside`. Chance decides by each game's own sequence, `chance`, until a
    player is to move. `sides` has for each player the first one of the team.
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
    """Give 1 to the winners, and to the others what makes the sum 0."""
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
    """Leave no legal action to games that were cut off, where they do not begin anew."""
    place = cuda.grid(1)
    if place < len(plies) and plies[place] >= limit:
        closed(place, marks, counts)


def sample_thread(marks, counts, seeds, actions):
    """Draw an action from the legal ones, each as likely as any other, by the game's random sequence; 0 for none."""
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
    """Count the sequences of so many moves, fewer than LEVELS, from a position; the last moves are not carried out."""
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
