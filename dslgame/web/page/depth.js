// Depth of pieces: a shadow under them and light on them, for looks that have it.

import { s } from "./dom.js";

const STOPS = [[0, "#fff", 0.55], [0.45, "#fff", 0], [0.7, "#000", 0], [1, "#000", 0.4]];

/** Give the round and square pieces of a picture depth; style.css says in which looks it is seen. */
export function deepen(svg) {
  const pieces = [...svg.querySelectorAll(".piece .disc, .piece .block")];
  if (!pieces.length) return;
  svg.prepend(s("defs", {}, s("radialGradient", { id: "shine", cx: 0.36, cy: 0.3, r: 0.78 },
    ...STOPS.map(([offset, colour, opacity]) => s("stop", { offset, "stop-color": colour, "stop-opacity": opacity })))));
  for (const piece of pieces) {
    const layer = (name) => {
      const copy = piece.cloneNode();
      copy.setAttribute("class", name);
      return copy;
    };
    piece.before(layer("shadow"));
    piece.after(layer("shine"));
  }
}
