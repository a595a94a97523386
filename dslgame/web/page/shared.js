// A game with others, as the page shows it: joined by a link, followed, and its links given away.

import { $, copied, h } from "./dom.js";
import { fine, say, settled, trouble } from "./notices.js";
import { animate } from "./moving.js";
import { ANEW, game } from "./asking.js";
import { at, open, show } from "./opening.js";
import { alone, fields, on, outcome, shown, state, tell } from "./state.js";
import { link, share, Together } from "./together.js";

let following = false; // whether the moves of others are being shown

export function wireShared() {
  on("shown", showTogether);
  on("played", follow);
  on("refused", follow);
  on("hides", keep);
  on("sit", sit);
  $("sharegame").addEventListener("click", shareHere);
  $("leave").addEventListener("click", () => open({ ...state }));
}

/** Have the server keep a game that hides something from the people at this screen, and show it. */
async function keep(next, how) {
  const now = shown.clock;
  const { game: name, start, moves, ply } = next;
  try {
    const { id, keys } = await share({ ...game(next), start, moves: moves.slice(0, ply), seats: shown.seats });
    if (now === shown.clock) await join({ id, keys: keys.filter(Boolean) }, { ...how, name });
  } catch (problem) {
    if (now !== shown.clock) return;
    if (["move", "position", "rule"].includes(problem.kind) && (ply || start !== null)) await keep({ ...next, ...ANEW }, how);
    trouble(problem);
  }
}

/** Let the player of a seat look at a screen that several people play on, or with null nobody. */
async function sit(seat) {
  const { together } = shown;
  settled(false);
  const now = ++shown.clock;
  together.sit(seat);
  try {
    await together.join();
  } catch (problem) {
    return trouble(problem);
  }
  if (now !== shown.clock) return;
  alone(Array(together.moves).fill(""));
  state.ply = together.moves;
  shown.known = new Map();
  await show();
  together.listen();
}

/** Show a shared game, from the seats that there are keys for. */
export async function join({ id, keys }, { name = null, ...how } = {}) {
  const joined = new Together(id, keys, { news: () => { showTogether(); follow(); }, lost: lostServer });
  let found;
  settled(false);
  try {
    found = await joined.join();
  } catch (problem) {
    if (!shown.position) await open({ ...shown.usual });
    return trouble(problem);
  }
  shown.seats = [];
  shown.info = null;
  const { text, params, start, moves } = found;
  await open({ game: found.game ?? name, text, params, start, moves: Array(moves).fill(""), ply: moves, tree: null },
    { ...how, joining: joined });
  if (shown.together === joined && shown.position) joined.listen();
}

/** Show the moves that others have made; one move with all that it does. */
async function follow() {
  if (following || shown.sending || !shown.together || !shown.position) return;
  following = true;
  try {
    while (shown.together && shown.together.moves > state.moves.length) {
      const shared = shown.together;
      const atEnd = state.ply === state.moves.length;
      const one = atEnd && shared.moves === state.moves.length + 1;
      const answer = await shared.ask("/position", { last: one });
      if (shown.together !== shared) return;
      const { frames, after } = one ? answer : { frames: [], after: answer };
      if (after.played.length <= state.moves.length) continue;
      alone(after.played);
      if (!atEnd) {
        tell("varied");
        continue;
      }
      const now = ++shown.clock;
      state.ply = state.moves.length;
      shown.known = new Map();
      fine();
      settled(false);
      await animate(frames, now);
      if (now !== shown.clock) return;
      at(after);
      const { position, info } = shown;
      say(`${state.moves.at(-1)} was played. ${position.over ? outcome() : `${info.players[position.to_move].name} to move.`}`);
    }
    const { together, position } = shown;
    if (together && position.nature && !together.nature && together.moves === state.ply) {  // by a move that nobody sees
      shown.known = new Map();
      await show();
    }
  } catch (problem) {
    trouble(problem);
  } finally {
    following = false;
  }
}

function lostServer(lost) {
  $("lost").hidden = !lost;
  document.body.dataset.lost = String(lost);
}

/** Share the game from here on, and take a seat. */
async function shareHere() {
  const seat = Number($("myseat").value);
  try {
    const { id, keys } = await share(shown.together ? { ...game(state), start: null, moves: [] } : fields());
    await join({ id, keys: keys[seat] ? [keys[seat]] : [] });
  } catch (problem) {
    trouble(problem);
  }
}

/** Who plays a shared game, and the links for the others. */
function showTogether() {
  const { position, info } = shown;
  const unknown = shown.together !== null && info.hides;
  const together = shown.together?.kinds ? null : shown.together;  // a game on one screen looks like any other
  const playing = together !== null && together.seat >= 0 && position !== null && !position.over;
  document.body.classList.toggle("together", together !== null);
  for (const id of ["go", "values"]) $(id).closest("label, button").hidden = playing;
  $("tab-tree").hidden = playing || unknown;
  $("save").hidden = unknown;
  if (playing && $("values").checked) $("values").click();
  if ($("tab-tree").hidden && !$("tree").hidden) $("tab-record").click();
  const yours = playing && together.seat === position.to_move;
  document.title = `${yours ? "● Your move · " : ""}${info.title} · dslgame`;
  $("alone").hidden = together !== null;
  $("others").hidden = together === null;
  if (!together) {
    if (!shown.together) lostServer(false);
    $("myseat").replaceChildren(...info.players.map(({ name }, number) => h("option", { value: number }, name)),
      h("option", { value: info.players.length }, "nobody, only watch"));
    return;
  }
  document.querySelectorAll("#sides .there").forEach((there, number) => {
    there.textContent = number === together.seat ? "you" : together.present[number] ? "here" : "away";
    there.dataset.there = String(together.present[number] || number === together.seat);
  });
  showLinks(together, info);
}

function showLinks({ keys, id, seat, watching }, info) {
  const entry = (label, key) => h("li", {}, h("span", {}, label), h("button", { type: "button", "data-link": link(id, key),
    onclick: (event) => copied(event.target, link(id, key)) }, "Copy the link"));
  $("links").replaceChildren(
    ...(keys ?? []).map((key, number) => (number === seat ? null : entry(`to play ${info.players[number].name}`, key))).filter(Boolean),
    entry("to watch", null));
  $("watching").textContent = watching ? `${watching} ${watching === 1 ? "person watches" : "people watch"}.` : "";
  $("onlyhere").hidden = !["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
}
