// The moves of the game with their variations and comments, and the legal moves as a list.

import { $, h } from "./dom.js";
import { goTo, jump, undo } from "./opening.js";
import { address, key, on, place, shown, state } from "./state.js";
import { worth } from "./values.js";

const MOST_SHOWN = 400;

/** Show the moves of the game; `playing` is called with a legal move that is clicked. */
export function wireRecord(playing) {
  const showAll = () => {
    showMoves();
    showLegal(playing);
  };
  on("shown", () => {
    showAll();
    showSteps();
  });
  on("judged", showAll);
  on("varied", () => {
    showMoves();
    showSteps();
  });
  $("first").addEventListener("click", () => jump(0));
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", () => jump(state.ply + 1));
  $("last").addEventListener("click", () => jump(state.moves.length));
  $("comment").addEventListener("input", () => {
    state.tree.comment(place(), $("comment").value.trim());
    showMoves();
    address().then((hash) => history.replaceState(history.state, "", `#${hash}`));
  });
  $("promote").addEventListener("click", () => {
    state.tree.promote(place());
    goTo(place());
  });
  $("delete").addEventListener("click", () => {
    const before = place(state.ply - 1);
    state.tree.remove(place());
    goTo(before);
  });
}

/** How far the game is, and whether there are moves before and after. */
function showSteps() {
  $("undo").disabled = $("first").disabled = state.ply === 0;
  $("redo").disabled = $("last").disabled = state.ply === state.moves.length;
  $("ply").textContent = `${state.ply} / ${state.moves.length}`;
}

const number = (moves) => h("span", { class: "number" }, `${moves.length}.`);
const said = ({ comment }) => (comment ? h("span", { class: "comment" }, comment) : null);
const link = (moves) => h("button", { type: "button", class: "link", onclick: () => goTo(moves),
  "aria-current": moves.join("\n") === key() ? "step" : null }, moves.at(-1));
const from = (node, moves) => node.children.map(({ move }) => [...moves, move]);

/** A variation from its first move on, with those inside of it. */
function inline(moves) {
  const found = [number(moves), link(moves), said(state.tree.at(moves))];
  for (let now = state.tree.at(moves); now.children.length; [now] = now.children) {
    const [next, ...others] = from(now, moves);
    found.push(link(next), said(state.tree.at(next)), ...others.map((other) => h("span", { class: "vary" }, ...inline(other))));
    moves = next;
  }
  return found.filter(Boolean);
}

/** Scroll a box, and nothing around it, so that an element in it is seen; not at all where it is. */
function into(box, element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  const above = box.querySelector(":scope > [role=tablist]")?.offsetHeight ?? 0;
  if (inner.top < outer.top + above || inner.bottom > outer.bottom) {
    box.scrollTop += inner.top - outer.top - above - (outer.height - above - inner.height) / 2;
  }
}

function showMoves() {
  const items = [];
  const { root } = state.tree;
  if (root.comment) items.push(h("li", { class: "aside" }, said(root)));
  for (let now = root, moves = []; now.children.length; [now] = now.children) {
    const [next, ...others] = from(now, moves);
    items.push(h("li", { value: next.length }, number(next), link(next)));
    const comment = said(state.tree.at(next));
    if (comment) items.push(h("li", { class: "aside" }, comment));
    items.push(...others.map((other) => h("li", { class: "aside vary" }, ...inline(other))));
    moves = next;
  }
  $("moves").replaceChildren(...items);
  const current = $("moves").querySelector("[aria-current]");
  if (current) into($("moves"), current);
  if (current && matchMedia("(min-width: 860px)").matches) into($("side"), current);
  if (document.activeElement !== $("comment")) $("comment").value = state.tree.at(place())?.comment ?? "";
  $("varying").hidden = shown.together !== null;
  $("delete").disabled = state.ply === 0;
  $("promote").disabled = state.tree.main(place());
}

/** The legal moves, the best first where that is known. */
function showLegal(playing) {
  const { judged, position, entries, info } = shown;
  const worthOf = (text) => judged && worth(judged.get(text), info.players[position.to_move].side, info.players.length === 1);
  const texts = [...new Set(entries.filter(({ text }) => text !== null).map(({ text }) => text))];
  const listed = texts.slice(0, MOST_SHOWN);
  if (judged) listed.sort((one, other) => (worthOf(other)?.rank ?? -0.1) - (worthOf(one)?.rank ?? -0.1));
  $("legal").replaceChildren(...listed.map((text) => h("option", { value: text })));
  $("legalmoves").replaceChildren(...listed.map((text) => {
    const value = worthOf(text);
    return h("button", { type: "button", class: `chip ${value?.kind ?? ""}`, onclick: () => playing(text) }, text,
      value ? h("span", { class: "badge", title: value.words }, value.label) : null);
  }));
  if (position.count > listed.length) $("legalmoves").append(h("p", { class: "note" }, `${position.count} in all`));
}
