// What a question about a game has.

/** A state of a game from its start on. */
export const ANEW = { start: null, moves: [], ply: 0, tree: null };

/** The game of a state: by its name, or its rules. */
export const game = ({ game: name, text, params }) => ({ ...(text === null ? { game: name } : { text }), params });

/** What is asked to show a state: its game, and the position at its ply. */
export const opening = (state) => ({ ...game(state), start: state.start, moves: state.moves.slice(0, state.ply), position: true });
