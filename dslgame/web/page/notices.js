// What the page says at its top and to those who listen to it, and whether it waits for somebody.

import { $ } from "./dom.js";

let idle = false;      // whether the page shows where the game is
let expected = false;  // whether something more is to come by itself, such as what was found in the rules

export function trouble(problem) {
  if (problem?.name === "AbortError") return;  // something else is asked already, and will settle
  settled(true);
  $("problem").textContent = problem.message;
  $("problem").hidden = false;
}

export function fine() {
  $("problem").hidden = true;
}

/** Say something to those who cannot see the board. */
export function say(text) {
  $("announce").textContent = text;
}

/** Note whether the page shows where the game is by the rules as they are, and waits for a person; for those who watch. */
export function settled(yes) {
  idle = yes;
  document.body.dataset.settled = String(idle && !expected);
}

/** Note whether something more is to come by itself. */
export function expecting(yes) {
  expected = yes;
  settled(idle);
}
