// Games and positions: shown as the server describes them, and gone to.

import { ask, Refused } from "./api.js";
import { ANEW, game, opening } from "./asking.js";
import { entries } from "./choosing.js";
import { $ } from "./dom.js";
import { fine, settled, trouble } from "./notices.js";
import { address, alone, fields, key, machine, place, shown, state, tell } from "./state.js";
import { stop } from "./thinking.js";
import { Variations } from "./variations.js";

/** Ask about the game as it stands: of a shared game by its id and key, of any other by its moves. */
export async function askHere(what, more = {}) {
  if (!shown.together) {
    try {
      return await ask(what, { ...fields(), ...more });
    } catch (problem) {
      if (problem.kind === "saved") tell("outdated");
      throw problem;
    }
  }
  return shown.together.ask(`/${what}`, what === "choices" ? more : { ply: state.ply, ...more });
}

/**
 * Show a game from some state on; with `keepRules` the rules in the editor stay as they are, and with `checkAgain` they
 * are checked again where they are not those that are played.
 */
export async function open(next, { keepRules = false, checkAgain = false, joining = null } = {}) {
  stop();
  const unknown = shown.together !== null && shown.info?.hides && next.moves.length > 0;  // only the server knows them
  if (shown.together !== joining) shown.together?.end();
  shown.together = joining;
  if (!keepRules) tell("opening");
  settled(false);
  const now = ++shown.clock;
  let found;
  try {
    found = await ask("game", joining ? game(next) : opening(next));
  } catch (problem) {
    if (shown.info === null && next.text === null && next.game !== shown.usual?.game && shown.usual) await open({ ...shown.usual });
    return trouble(problem.kind === "game" ? new Error(`${problem.message} Choose one at the top, or press Browse.`) : problem);
  }
  if (now !== shown.clock) return;
  fine();
  if (next.text === null) [shown.original, shown.saved] = [found.text, found.saved ?? null];
  Object.assign(state, next, { tree: next.tree ?? Variations.of(next.moves) });
  shown.viewed = null;
  tell("opened", found, { keepRules, checkAgain });
  $("game").value = state.game ?? "";
  if (found.game === null && refusedParams(found, next.params)) {
    await open({ ...next, params: {}, ...ANEW }, { keepRules, checkAgain });
    const refused = found.diagnostics.filter(({ severity }) => severity === "error").map(({ phrase }) => phrase);
    return trouble(new Error(`${refused.join("; ")}. The game is shown with its usual params.`));
  }
  if (found.game === null) {
    trouble(new Error("These rules cannot be played yet: see what is marked in them."));
    return;
  }
  const players = (info) => info?.players.map((player) => player.name).join();
  if (players(found.game) !== players(shown.info)) shown.seats = found.game.players.map(() => "person");
  if (joining?.kinds) shown.seats = [...joining.kinds];
  shown.seats = shown.seats.map((seat) => (found.game.kinds.includes(seat) ? seat : "person"));
  shown.info = found.game;
  document.title = `${shown.info.title} · dslgame`;
  tell("described");
  if (shown.info.hides && !joining && shown.seats.includes("person")) {
    tell("hides", { ...next, ...(unknown ? ANEW : {}) }, { keepRules, checkAgain });
    return;
  }
  shown.known = new Map(found.position && !unknown ? [[key(), found.position]] : []);
  await show({ reset: true });
}

/** Whether nothing but the given params keeps a game from being played. */
export function refusedParams(found, params) {
  const errors = found.diagnostics.filter(({ severity }) => severity === "error");
  return Object.keys(params).length > 0 && errors.length > 0 && errors.every(({ code }) => code === "G501" || code === "G502");
}

/** Drop the moves after the state's ply from the first one on that the rules do not know any more. */
async function dropUnknown(now) {
  if (shown.together || state.ply === state.moves.length) return;
  try {
    await ask("position", fields(state.moves));
  } catch (problem) {
    if (now !== shown.clock || problem.kind !== "move" || problem.more.legal < state.ply) return;
    trouble(new Error(`${problem.message} The moves from there on are dropped.`));
    settled(false);
    alone(place(problem.more.legal));
  }
}

/** Show the position at the state's ply. Moves that the rules do not know (any more) are dropped. */
export async function show({ reset = false } = {}) {
  stop();
  settled(false);
  const now = ++shown.clock;
  if (reset) await dropUnknown(now);
  if (now !== shown.clock) return;
  let found = shown.known.get(key());
  if (!found) {
    try {
      found = await askHere("position");
    } catch (problem) {
      if (now !== shown.clock) return;
      if (reset && problem instanceof Refused && ["move", "position", "rule"].includes(problem.kind)) {
        const legal = problem.kind === "position" ? 0 : problem.more.legal ?? 0;
        const start = problem.kind === "position" ? null : state.start;
        trouble(new Error(`${problem.message} The game goes back to where it still is as the rules say.`));
        Object.assign(state, { start, moves: place(legal), ply: legal, tree: Variations.of(place(legal)) });
        if (legal || problem.kind === "position" || state.ply) await show({ reset: legal > 0 });
        else await show();
        return;
      }
      trouble(problem);
      if (shown.viewed) Object.assign(state, shown.viewed);
      return;
    }
  }
  if (now !== shown.clock) return;
  at(found);
}

/** Be at a position that the server described. */
export function at(found) {
  if (shown.together && state.ply === state.moves.length) alone(found.played);
  shown.known.set(key(), found);
  shown.position = found;
  shown.viewed = { start: state.start, moves: state.moves, ply: state.ply };
  shown.judged = shown.preferred = null;
  shown.entries = entries(found);
  tell("shown");
  visit();
  tell("turn");
}

/** Have the place in the browser's history, so that Back leads to the one before; but not where a player moves by itself. */
async function visit() {
  const now = shown.clock;
  const first = history.state === null;
  const hash = `#${await address()}`;
  if (now !== shown.clock) return;
  const passing = !shown.together && !shown.position.over && machine(shown.position) !== null && state.ply === state.moves.length;
  const same = hash === location.hash || (shown.together && location.hash.includes(shown.together.id));
  if (same || first || history.state?.passing) history.replaceState({ passing }, "", hash);
  else history.pushState({ passing }, "", hash);
}

/** Begin the game of a name, at its usual params. */
export const chooseGame = (game) => open({ game, text: null, params: {}, ...ANEW });

/** Begin the game that is shown anew. */
export function beginAnew() {
  if (shown.together) return void open({ ...state, ...ANEW });
  Object.assign(state, ANEW, { tree: new Variations() });
  shown.known = new Map();
  fine();
  return void show();
}

/** Go to a position of the game that is given as a text. */
export async function goToPosition(start) {
  if (shown.together) return void open({ ...state, ...ANEW, start });
  try {
    const found = await ask("position", { ...fields([]), start });
    Object.assign(state, ANEW, { start, tree: new Variations() });
    shown.known = new Map();
    fine();
    shown.clock += 1;
    at(found);
  } catch (problem) {
    trouble(problem);
  }
}

/** Go to a ply of the line that is shown. */
export function jump(ply) {
  const wanted = Math.max(0, Math.min(ply, state.moves.length));
  if (wanted === state.ply && !shown.quiet) return;
  state.ply = wanted;
  fine();
  show();
}

/** Go to a place in the tree of moves. */
export function goTo(moves) {
  Object.assign(state, { moves: state.tree.line(moves), ply: moves.length });
  fine();
  show();
}

/** Go on with some moves, as a variation; from a shared game alone. */
export function vary(moves) {
  if (shown.together) return void open({ ...state, moves, ply: moves.length, tree: null });
  state.tree.add(moves);
  return void goTo(moves);
}

/** Back to the last position in which a person was to move. */
export function undo() {
  let ply = state.ply - 1;
  const persons = shown.seats.includes("person");
  while (ply > 0 && persons && shown.known.has(key(ply)) && machine(shown.known.get(key(ply))) !== null) ply -= 1;
  jump(ply);
}
