// The game tree from a position, opened level by level.

import { ask } from "./api.js";
import { $, h } from "./dom.js";
import { worth } from "./values.js";

/** Fill a place with the moves that go on from some moves; `at` has {fields, players, values, go}. */
export async function grow(place, moves, at, signal) {
  place.replaceChildren(h("p", { class: "note" }, "…"));
  let found;
  let values = new Map();
  try {
    found = await ask("tree", { ...at.fields, moves }, signal);
    if (at.values) {
      const judged = await ask("values", { ...at.fields, moves }, signal);
      values = new Map(judged.values.map((item) => [item.move, worth(item, judged.to_move, at.players.length === 1)]));
    }
  } catch (problem) {
    if (problem.name !== "AbortError") place.replaceChildren(h("p", { class: "note" }, problem.message));
    return;
  }
  const mover = at.players[found.to_move].name;
  const children = [...found.children];
  if (values.size) children.sort((one, other) => (values.get(other.move)?.rank ?? -1) - (values.get(one.move)?.rank ?? -1));
  const list = h("ul", { "aria-label": `Moves of ${mover}` }, ...children.map((child) => branch(child, moves, at, values)));
  place.replaceChildren(children.length ? list : h("p", { class: "note" }, "The game is over here."));
  if (found.left_out) place.append(h("p", { class: "note" }, `and ${found.left_out} more moves`));
}

/** Draw the tree from some moves as a picture, under a sentence that says what it shows; `look` shows it large then. */
export async function draw(place, note, fields, signal) {
  note.textContent = "Drawing …";
  let found;
  try {
    found = await ask("treepicture", fields, signal);
  } catch (problem) {
    note.textContent = problem.name === "AbortError" ? "" : problem.message;
    return;
  }
  const address = URL.createObjectURL(new Blob([found.picture], { type: "image/svg+xml" }));
  const old = place.querySelector("img")?.src;
  if (old) URL.revokeObjectURL(old);
  place.replaceChildren(h("img", { src: address, alt: `The tree to ${found.depth} moves ahead: ${found.nodes} nodes` }));
  place.hidden = false;
  drawn = found.viewer;
  const part = found.drawn < found.nodes ? `${found.drawn} of ${found.nodes} nodes` : `${found.nodes} nodes`;
  const by = found.solved ? ", coloured by the solution" : "";
  note.replaceChildren(`${part}, ${found.depth} ${found.depth === 1 ? "move" : "moves"} ahead${by}${found.cut ? `; ${found.cut}` : ""}. `,
    h("a", { href: address, download: "tree.svg" }, "Save it"));
}

let drawn = null;    // the tree that was drawn last
let looking = null;  // ends what listens for the tree that is shown large

/** Show the tree that was drawn last large: pan and zoom, fold, search, best play. */
export async function look(place) {
  const [{ view }, frame] = await Promise.all([import("/tree/viewer.js"), fetch("/tree/viewer.html").then((found) => found.text())]);
  const root = place.shadowRoot ?? place.attachShadow({ mode: "open" });
  root.innerHTML = frame;
  const style = h("link", { rel: "stylesheet", href: "/tree/viewer.css" });
  await new Promise((resolve) => {
    style.onload = resolve;
    root.prepend(style);
    $("large").showModal();
  });
  looking?.abort();
  looking = new AbortController();
  view(root, drawn, looking.signal);
}

function branch(child, moves, at, values) {
  const further = [...moves, child.move];
  const below = h("div", { class: "below", hidden: true });
  const value = values.get(child.move);
  const ended = child.result;
  const open = h("button", {
    type: "button", class: "open", "aria-expanded": "false", "aria-label": `What follows ${child.move}`,
    onclick: () => {
      below.hidden = !below.hidden;
      open.setAttribute("aria-expanded", String(!below.hidden));
      if (!below.hidden && !below.childElementCount) grow(below, further, at);
    },
  });
  return h("li", {},
    child.outcome === null ? open : h("span", { class: "open none" }),
    h("button", { type: "button", class: "link", title: "Go there", onclick: () => at.go(further) }, child.move),
    value ? h("span", { class: `badge ${value.kind}`, title: value.words }, value.label) : null,
    h("span", { class: "note" }, ended ?? `${child.replies} ${child.replies === 1 ? "reply" : "replies"}`),
    below);
}
