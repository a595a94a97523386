// What the page shows, and who is told when that changes. Nothing here draws or asks.

import { game } from "./asking.js";
import { fragment } from "./share.js";
import { Variations } from "./variations.js";

/**
 * What is played: text is null as long as the rules are those of the file; params are those that were set. `tree` has
 * all moves with their variations, `moves` are the line that is shown, and `ply` is how many of them are made.
 */
export const state = { game: null, text: null, params: {}, start: null, moves: [], ply: 0, tree: new Variations() };

/** What is known of it, and who plays. */
export const shown = {
  info: null,        // what the server says of the game
  original: "",      // the file's rules
  saved: null,       // the stamp of the file that they come from
  viewed: null,      // the start, moves and ply of the position that is shown
  position: null,    // what the server says of the position
  entries: [],       // the legal moves as entries
  judged: null,      // what the moves are worth
  preferred: null,   // which is best, by the same
  known: new Map(),  // positions by their moves
  kinds: [],         // who can play a side
  seats: [],         // who plays each side
  clock: 0,          // grows with every change, so that late answers are known as such
  quiet: false,      // whether a move is being shown
  sending: false,    // whether a move is on its way to the server
  usual: null,       // the game that is shown where the address names none
  together: null,    // the game that is shown, if the server keeps it
};

// ---- who is told

const listeners = new Map();

/**
 * Call a function whenever something happens: `opening` a game, `opened` (its rules are there), `described` (it can be
 * played), `shown` (a position is), `turn` (somebody is to move), `judged` (what moves are worth is known, or no longer),
 * `moved` (pieces did, on the board; with what changed), `frame` (a step of a move), `step` (a line of the rules is at work, 0 for none), `waits` (nobody
 * moves by itself), `switched` (values on or off), `varied` (the moves or their comments changed), `played`, `refused`
 * (a move was), `outdated` (the file was saved since it was opened), `hides` (a game was opened that hides something from
 * the people who play it), `sit` (somebody else is to look at the screen).
 */
export function on(name, listener) {
  if (!listeners.has(name)) listeners.set(name, []);
  listeners.get(name).push(listener);
}

/** Tell those who listen, in the order in which they began to. */
export function tell(name, ...details) {
  for (const listener of listeners.get(name) ?? []) listener(...details);
}

// ---- what follows from it

/** The moves that are made at a ply of the line that is shown. */
export const place = (ply = state.ply) => state.moves.slice(0, ply);
export const key = (ply) => place(ply).join("\n");

/** What a question about the game has. */
export const fields = (moves = place()) => ({
  ...game(state), ...(state.text === null && shown.saved ? { saved: shown.saved } : {}), start: state.start, moves,
  ...(shown.together ? { viewer: shown.together.seat } : {}),
});

/** What stands after `#` in the page's address. */
export const address = async () => (shown.together ? shown.together.fragment : fragment(state));

/** Whether a move can be made here: not in the midst of a shared game, nor by one who only watches. */
export const mayMove = () => !shown.position.over && !shown.quiet && !(shown.together && state.ply < state.moves.length);

/** Who moves in a position without being asked: chance, or a kind of player; null for a person. */
export function machine(found) {
  if (found.nature) return "nature";
  return shown.seats[found.to_move] === "person" ? null : shown.seats[found.to_move];
}

/** What the one is called who makes the move in a position. */
export const moverOf = (found) => (found.nature ? "Nature" : shown.info.players[found.to_move].name);

/** How the game ended, as a sentence; "" where it goes on. */
export function outcome() {
  return shown.position.result ?? "";
}

/** Have one line of moves and no variations. */
export function alone(moves) {
  Object.assign(state, { moves, tree: Variations.of(moves) });
}
