// The panels under the tabs: which is shown, and those of the tree and of variants.

import { ANEW } from "./asking.js";
import { $ } from "./dom.js";
import { open, vary } from "./opening.js";
import { fields, on, place, shown, state } from "./state.js";
import { draw, grow, look } from "./tree.js";
import { solve } from "./variants.js";

let solving = null;  // the family that is being solved, to be given up
let drawing = null;  // the picture that is being drawn, to be given up

export function wirePanels() {
  wireTabs();
  const renew = () => { if (!$("tree").hidden) showTree(); };
  on("shown", renew);
  on("switched", renew);
  $("treepicture").addEventListener("click", () => look($("largepicture")));
  $("drawing").addEventListener("submit", async (event) => {
    event.preventDefault();
    drawing?.abort();
    drawing = new AbortController();
    $("drawing").querySelector("button").disabled = true;
    await draw($("treepicture"), $("drawn"),
      { ...fields(), depth: Number($("drawdepth").value), merge: $("drawmerge").value }, drawing.signal);
    $("drawing").querySelector("button").disabled = false;
  });
  $("varying-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    solving?.abort();
    solving = new AbortController();
    const { start, moves, viewer, ...rules } = fields([]);
    await solve($("variantrows"), $("varied"), rules,
      { ranges: $("varyranges").value, changes: $("varychanges").value, claim: $("varyclaim").value },
      ({ params, text }) => open({ game: state.game, text: text ?? state.text, params, ...ANEW }), solving.signal);
  });
}

function wireTabs() {
  const list = [...document.querySelectorAll("[role=tab]")];
  const select = (tab) => {
    for (const other of list) {
      const yes = other === tab;
      other.setAttribute("aria-selected", String(yes));
      other.tabIndex = yes ? 0 : -1;
      $(other.getAttribute("aria-controls")).hidden = !yes;
    }
    if (tab.id === "tab-tree" && shown.position) showTree();
  };
  list.forEach((tab, number) => {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = list[(number + step + list.length) % list.length];
      next.focus();
      select(next);
    });
  });
}

function showTree() {
  grow($("branches"), place(), { fields: fields(), players: shown.info.players, values: $("values").checked, go: vary });
}
