// What moves are worth, as it is found: on the board, in a bar beside it, and as the best lines.

import { parts } from "./api.js";
import { $, h } from "./dom.js";
import { trouble } from "./notices.js";
import { vary } from "./opening.js";
import { on, place, shown, state, tell } from "./state.js";
import { begin, end, question, stop } from "./thinking.js";
import { best, share, worth } from "./values.js";

const LONGEST = 12;  // plies of a line that are shown

export function wireAnalysis() {
  on("shown", clear);
  on("waits", () => { if ($("values").checked) value(); });
  on("judged", showBar);
  $("values").addEventListener("change", () => {
    if (!shown.position) return;
    stop();
    shown.judged = shown.preferred = null;
    clear();
    tell("judged");
    if ($("values").checked) value();
    tell("switched");
  });
}

function clear() {
  $("lines").replaceChildren();
  $("valued").textContent = "";
  showBar();
}

/** Show what every move is worth, better and better, until all is known, something else is shown, or it is switched off. */
async function value() {
  if (shown.position.over || shown.position.count === 0) return;
  if (shown.together?.kinds && state.ply < state.moves.length) return;
  const now = shown.clock;
  const mine = begin();
  $("valued").textContent = "Working out what the moves are worth …";
  try {
    for await (const found of parts(...question("analyse"), mine.signal)) {
      if (now !== shown.clock || !$("values").checked) return;
      shown.judged = new Map(found.values.map((item) => [item.move, item]));
      shown.preferred = found.best;
      tell("judged");
      $("valued").textContent = summary(found);
      $("valued").title = found.method ? `Method ${found.method.name} ${found.method.summary}.` : "";
      showLines(found.lines);
    }
  } catch (problem) {
    if (now === shown.clock && problem.name !== "AbortError") {
      $("valued").textContent = "";
      trouble(problem);
    }
  } finally {
    end(mine);
  }
}

/** How good the position is for the first of two players, as a bar in the colours of both. */
function showBar() {
  const { judged, info, position } = shown;
  const mixed = judged && [...judged.values()].some((item) => item.probability !== undefined);  // no values then
  const worths = judged && !mixed && info.players.length === 2 ? [...judged.values()].map((item) => worth(item, position.to_move)).filter(Boolean) : [];
  const top = worths.length ? worths.reduce((one, other) => (other.rank > one.rank ? other : one)) : null;
  $("bar").hidden = top === null;
  if (!top) return;
  const first = position.to_move === 0 ? share(top) : 1 - share(top);
  const [below, above] = info.players;
  const percent = Math.round(first * 100);
  $("bar").style.background = `linear-gradient(to top, ${below.colour} ${percent}%, ${above.colour} ${percent}%)`;
  $("bar").title = `${info.players[position.to_move].name} ${top.words}`;
  $("bar").setAttribute("aria-label", `${below.name} ${percent} %, ${above.name} ${100 - percent} %`);
}

/** Best play after the best moves; a click on a move goes there, as a variation. */
function showLines(lines) {
  const begun = place();
  $("lines").replaceChildren(...lines.map((found) => {
    const first = worth(found, shown.info.players[shown.position.to_move].side, shown.info.players.length === 1);
    const { line } = found;
    const moves = line.slice(0, LONGEST).map((move, number) => h("button", { type: "button", class: "link",
      onclick: () => vary([...begun, ...line.slice(0, number + 1)]) }, move));
    return h("li", {}, first ? h("span", { class: `badge ${first.kind}`, title: first.words }, first.label) : null, ...moves,
      line.length > LONGEST ? "…" : null, seen(found));
  }));
}

/** How far a move was looked at: plies of a search, or random games; null for what is proven. */
function seen({ winner, depth, games }) {
  if (winner !== null || !(depth || games)) return null;
  const [short, words] = depth ? [`depth ${depth}`, `searched ${depth} plies ahead`] : [`${brief(games)} games`, `${games.toLocaleString("en")} random games`];
  return h("span", { class: "seen", title: words }, short);
}

/** A number in few letters: 950, 12k, 3.4M. */
function brief(number) {
  return Intl.NumberFormat("en", { notation: "compact" }).format(number);
}

/** What an analysis says, in words. */
function summary(found) {
  if (found.strategy) return found.strategy;
  const top = best(found.values.map((item) => worth(item, found.to_move, shown.info.players.length === 1)));
  const count = found.positions.toLocaleString("en");
  const name = shown.info.players[shown.position.to_move].name;
  const method = found.method ? `, method ${found.method.name}` : "";
  if (top && (found.exact || top.kind === "win")) return `${name} to move: ${top.result} (${count} positions${method}).`;
  return `Best: ${found.best} (${found.basis}; ${count} positions).${found.more ? " Searching on …" : ` Not all is known: ${found.reason}.`}`;
}
