// The rules beside the board: changed in the editor, checked, and played by as soon as they can be.

import { ask, saved } from "./api.js";
import { showAbout } from "./beside.js";
import { $, h } from "./dom.js";
import { Editor } from "./editor.js";
import { explain } from "./explaining.js";
import { Helper } from "./helping.js";
import { expecting, say } from "./notices.js";
import { open, refusedParams } from "./opening.js";
import { on, shown, state } from "./state.js";

const PAUSE = 350;     // ms without a key until rules are checked
const LOOKING = 1000;  // ms between two looks at a file

let editor = null;
let waiting = null;    // what will check the rules, until they are checked and played by
let checking = 0;      // grows with every change, so that late answers are known as such
let newer = null;      // the game whose file was saved while its rules are being changed here
let told = "";         // what became of checking the rules

/** The rules as they stand in the editor. */
export const text = () => editor.text;

/** Show the rules of every game, and follow changes; `words` are those of the language. */
export function wireRules(words) {
  editor = new Editor($("editor"), words, edited);
  editor.helper = new Helper(editor);
  editor.element.addEventListener("focus", () => check(editor.text, { open: false }), { once: true });
  on("opening", forget);
  on("opened", (found, { keepRules, checkAgain }) => {
    if (!keepRules) editor.set(found.text);
    if (newer !== state.game || (state.text === null && editor.text === shown.original)) newer = null;
    if (checkAgain && editor.text !== (state.text ?? shown.original)) edited(editor.text);
    else diagnosed(found.diagnostics);
    showAbout(editor.text, found.params, found.game?.credits);
    changed(state.text !== null || editor.text !== shown.original);
  });
  on("outdated", fileSaved);
  on("step", (line) => (line ? editor.mark(line) : editor.mark()));
  $("revert").addEventListener("click", () => open({ ...state, text: null }));
}

function changed(yes) {
  $("edited").hidden = !yes;
  $("revert").disabled = !yes || state.game === null;
}

function diagnosed(found) {
  editor.find(found);
  const counts = ["error", "warning", "note"].map((severity) => {
    const count = found.filter((item) => item.severity === severity).length;
    return count ? `${count} ${severity}${count === 1 ? "" : "s"}` : "";
  }).filter(Boolean);
  tell(counts.join(", ") || "No problems found.");
  $("diagnostics").replaceChildren(...found.map(entry));
}

/** Say what became of checking the rules; that their file was saved meanwhile stays said until that is seen to. */
function tell(words) {
  told = words;
  $("checked").textContent = newer !== null ? `The file was saved: “Undo all changes” goes on by it. ${words}` : words;
}

/** What was found, with what can be done about it. */
function entry({ severity, code, phrase, help, span, fix }) {
  const button = (label, title, onclick) => h("button", { type: "button", class: "link", title, onclick }, label);
  return h("li", { class: severity },
    button(`line ${span.line}`, "Go there", () => editor.go(span.line, span.column)), ` ${severity} `,
    button(code, "What this means", () => explain(code)), `: ${phrase}`,
    fix ? button(fix.title, "Change the rules so (Ctrl+.)", () => editor.put(span, fix.text)) : null,
    help ? h("div", { class: "note" }, help) : null);
}

/** The rules were changed: check them, and play by them as soon as they can be played. */
function edited(rules) {
  changed(rules !== shown.original);
  tell("…");
  forget();
  waiting = setTimeout(() => check(rules), PAUSE);
  expecting(true);
}

async function check(rules, { open: reopen = true } = {}) {
  const mine = ++checking;
  const next = rules === shown.original && state.game ? null : rules;
  const asked = { ...(next === null ? { game: state.game } : { text: rules }), params: state.params };
  try {
    let found = await ask("check", asked);
    if (mine !== checking) return;
    if (!found.playable && refusedParams(found, state.params)) {
      state.params = {};
      return void check(rules);
    }
    diagnosed(found.diagnostics);
    if (!found.playable || !reopen) return;
    await open({ ...state, text: next }, { keepRules: true });
    if (mine !== checking) return;
    if (newer !== null && state.text === null && editor.text !== shown.original) {  // they are those of before the save
      newer = null;
      editor.set(shown.original);
    }
    checked();
    found = await ask("check", { ...asked, params: state.params, play: true });
    if (mine !== checking) return;
    diagnosed(found.diagnostics);
  } catch (problem) {
    if (mine === checking) tell(problem.message);
  } finally {
    if (mine === checking) checked();
  }
}

/** No longer check what was edited: other rules are shown. */
function forget() {
  clearTimeout(waiting);
  waiting = null;
  checking += 1;
  expecting(false);
}

function checked() {
  waiting = null;
  expecting(false);
}

// ---- files that are saved

/** Go on by a file's new rules as soon as it is saved; rules that were changed on the page stay. */
export async function watch(own) {
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, LOOKING); });
    if (document.hidden || !own.has(state.game)) continue;
    const name = state.game;
    let now;
    try {
      now = await saved(name);
    } catch {
      continue;  // the server has ended, or is being started again
    }
    if (name === state.game && now !== null && shown.saved !== null && now !== shown.saved) await fileSaved();
  }
}

async function fileSaved() {
  if (state.text !== null || editor.text !== shown.original) {
    newer = state.game;
    tell(told);
    return;
  }
  const lines = shown.original.split("\n");
  await open({ ...state });
  const now = shown.original.split("\n");
  let first = 0;
  while (first < now.length && now[first] === lines[first]) first += 1;
  let last = 0;
  while (last < now.length - first && now[now.length - 1 - last] === lines[lines.length - 1 - last]) last += 1;
  if (first === now.length && now.length === lines.length) return;
  const to = now.length - last;
  const what = to > first + 1 ? `lines ${first + 1} to ${to}` : `line ${first + 1}`;
  $("checked").textContent = `Saved: ${what}. ${$("checked").textContent}`;
  say(`The file was saved: ${what} changed.`);
}
