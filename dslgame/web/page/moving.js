// Moves: made, shown step by step, and asked of the players that are no persons.

import { $ } from "./dom.js";
import { fine, say, settled, trouble } from "./notices.js";
import { askHere, at } from "./opening.js";
import { board } from "./offering.js";
import { machine, mayMove, moverOf, on, outcome, place, shown, state, tell } from "./state.js";
import { stop, think } from "./thinking.js";

const STEP = 420;     // ms of a forced step in slow motion, and the most that all of them take then
const LONGEST_SHOW = 3600;
const AT_ONCE = 600;  // ms of all forced steps of a move otherwise

/** Play a move, given by its path or its text. */
export async function play(move) {
  stop();
  settled(false);
  const now = ++shown.clock;
  let found;
  shown.sending = true;
  try {
    found = await askHere("move", { move });
  } catch (problem) {
    trouble(problem);
    shown.sending = false;
    tell("refused");
    return false;
  }
  shown.sending = false;
  if (now !== shown.clock) return false;
  fine();
  const mover = moverOf(shown.position);
  if (state.moves[state.ply] !== found.move) {
    const made = [...place(), found.move];
    state.tree.add(made);
    state.moves = state.tree.line(made);
  }
  state.ply += 1;
  if (found.frames.length) {
    await animate(found.frames, now);
    if (now !== shown.clock) return false;
  }
  at(found.after);
  tell("played");
  say(`${mover} played ${found.move}. ${shown.position.over ? outcome() : `${moverOf(shown.position)} to move.`}`);
  return true;
}

/** Show the steps of a move, with the rules that make them; a click on the board goes to their end. */
export async function animate(frames, now) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  shown.quiet = true;
  const pause = $("slow").checked ? Math.max(40, Math.min(STEP, LONGEST_SHOW / frames.length)) : AT_ONCE / frames.length;
  try {
    for (const frame of frames) {
      if (now !== shown.clock) return;
      tell("moved", board.frame(frame.picture, pause, frame.slid));
      tell("frame", frame);
      $("prompt").textContent = `${frame.rule} (line ${frame.line})`;
      $("chips").replaceChildren();
      tell("step", frame.line);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, pause);
        $("board").onclick = () => { clearTimeout(timer); frames.length = 0; resolve(); };
      });
    }
  } finally {
    shown.quiet = false;
    $("board").onclick = null;
    tell("step", 0);
  }
}

/** What a kind of player is called. */
const title = (kind) => shown.kinds.find((item) => item.key === kind)?.title ?? kind;

/** Let a kind of player move for the side whose turn it is. */
export async function moveFor(kind) {
  settled(false);
  const { position, info } = shown;
  const status = $("status").textContent;
  $("status").textContent = position.nature ? "Chance decides …" : `${info.players[position.to_move].name} (${title(kind)}) thinks …`;
  const found = await think("choose", { player: kind });
  if (!found) {
    $("status").textContent = status;
    settled(true);
    return;
  }
  await play(found.move);
  if (found.remark) $("valued").textContent = `${found.move}: ${found.remark}`;
}

/** Let players that are no persons move whenever it is their turn, and the button when it is pressed. */
export function wireMoving() {
  on("turn", () => {
    if (shown.position.over) say(outcome());
    else if (!shown.together && machine(shown.position) !== null && state.ply === state.moves.length) moveFor(machine(shown.position));
    else tell("waits");
  });
  $("go").addEventListener("click", () => { if (!shown.together || mayMove()) moveFor("solver"); });
  $("typed").addEventListener("submit", async (event) => {
    event.preventDefault();
    const move = $("move").value.trim();
    if (move && await play(move)) $("move").value = "";
  });
}
