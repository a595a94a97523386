// The window: light or dark, what is folded, and what keys do.

import { $ } from "./dom.js";
import { jump, undo } from "./opening.js";
import { board, choose } from "./offering.js";
import { sound } from "./sounds.js";
import { on, shown, state } from "./state.js";

/** Light or dark, as the system is or as was chosen. */
export function wireTheme() {
  const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
  const set = (name) => {
    document.documentElement.dataset.theme = name;
    $("theme").setAttribute("aria-pressed", String(name === "dark"));
  };
  set(localStorage.getItem("theme") ?? (dark() ? "dark" : "light"));
  $("theme").addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem("theme", next);
    set(next);
  });
}

/** Whether rules have a place beside the board. */
const wide = () => innerWidth >= 860;

export function wireWindow() {
  fold((localStorage.getItem("rules") ?? String(wide() && innerHeight >= 800)) === "true");
  $("fold").addEventListener("click", () => {
    fold($("paper").hidden);
    localStorage.setItem("rules", String(!$("paper").hidden));
  });
  $("settings").addEventListener("click", () => {
    const yes = document.body.classList.toggle("setting");
    $("settings").setAttribute("aria-expanded", String(yes));
  });
  remembered("slow", "checked");
  $("slow").addEventListener("change", () => { if ($("slow").checked && wide()) fold(true); });  // it marks their lines
  remembered("sound", "checked");
  remembered("look", "value", (look) => { document.documentElement.dataset.look = look; });
  on("moved", (changed) => { if ($("sound").checked && changed) sound(heard(changed)); });
  document.addEventListener("keydown", pressedKey);
}

/** Keep what an element is set to from one visit to the next; `set` is called with it. */
function remembered(id, property, set = () => {}) {
  const known = localStorage.getItem(id);
  if (known !== null) $(id)[property] = property === "checked" ? known === "true" : known;
  if (!$(id)[property] && property === "value") $(id).selectedIndex = 0;
  set($(id)[property]);
  $(id).addEventListener("change", () => {
    localStorage.setItem(id, String($(id)[property]));
    set($(id)[property]);
  });
}

/** What is heard of changes on the board. */
function heard({ slid, turned, come, gone }) {
  if (shown.position.over && !shown.quiet) return "end";
  if (gone.length && (slid.length || come.length)) return "capture";
  return turned.length ? "turn" : "move";
}

/** Show the rules, or only that there are some; the page remembers which. */
export function fold(open) {
  $("paper").hidden = !open;
  $("fold").setAttribute("aria-expanded", String(open));
  document.querySelector("main").classList.toggle("reading", open);
}

/** Press a button by its key, where it can be seen. */
const pressed = (id) => $(id).offsetParent && $(id).click();

/** What letters and arrows do outside of fields; on the board arrows go from cell to cell. */
const KEYS = {
  arrowleft: () => undo(), arrowright: () => jump(state.ply + 1), home: () => jump(0), end: () => jump(state.moves.length),
  escape: () => choose([]), m: () => pressed("go"), v: () => pressed("values"), r: () => $("fold").click(),
  t: () => board.turn(), "+": () => board.larger(1), "-": () => board.larger(-1), 0: () => board.larger(0),
};

function pressedKey(event) {
  if (document.querySelector("dialog[open]") || event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const does = control && key === "z" ? (event.shiftKey ? () => jump(state.ply + 1) : undo)
    : control && key === "y" ? () => jump(state.ply + 1)
      : control || event.altKey ? null : KEYS[key];
  if (!does || !shown.position || event.defaultPrevented) return;
  if (key.startsWith("arrow") && event.target.closest("[role=tab]")) return;
  event.preventDefault();
  does();
}
