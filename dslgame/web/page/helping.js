// Help for who writes rules: words that could stand at the caret, what a word is, where it is declared, and fixes.

import { ask } from "./api.js";
import { $, h } from "./dom.js";
import { marked } from "./markdown.js";
import { say } from "./notices.js";

const PAUSE = 120;      // ms without a key until completions are asked for
const HOVERING = 350;   // ms over a word until it is explained
const LEAVING = 300;    // ms until what explains it goes
const MOST_SHOWN = 12;

export class Helper {
  constructor(editor) {
    this.editor = editor;
    this.offered = null;   // {line, start, items}: what could stand on a line from a column on
    this.shown = [];       // those of them that go on from what is typed
    this.at = 0;           // the number of the one that is selected
    this.wanted = false;   // whether a person asked for them, or selected one: then Enter takes it, too
    this.timer = null;
    this.asked = 0;        // grows with every question, so that late answers are known as such
    this.leaving = null;
    const { element } = editor;
    element.setAttribute("aria-autocomplete", "list");
    element.setAttribute("aria-controls", "offers");
    element.addEventListener("blur", () => this.close());
    element.addEventListener("scroll", () => this.close());
    element.addEventListener("mousemove", (event) => this.hover(event));
    element.addEventListener("mouseleave", () => this.leave());
    element.addEventListener("click", (event) => {
      this.close();
      if (event.ctrlKey || event.metaKey) this.jump(editor.under(event.clientX, event.clientY));
    });
    $("aboutword").addEventListener("mouseenter", () => clearTimeout(this.leaving));
    $("aboutword").addEventListener("mouseleave", () => this.leave());
    $("aboutword").addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.hide();
      editor.element.focus();
    });
  }

  async ask(what, { line, column }) {
    const mine = ++this.asked;
    try {
      const found = await ask(what, { text: this.editor.text, line, column });
      return mine === this.asked ? found : null;
    } catch {
      return null;  // help that does not come is no trouble
    }
  }

  /** Whether a key of the editor was for the helper. */
  key(event) {
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key === " ") return this.complete(true), true;
    if (control && event.key === ".") return this.fix();
    if (event.key === "F1") return this.explain(this.editor.caret, true), true;
    if (event.key === "F12") return this.jump(this.editor.caret), true;
    if (event.key === "Escape" && !$("aboutword").hidden) return this.hide(), true;
    if (!this.shown.length) return false;
    switch (event.key) {
      case "ArrowDown": return this.select(this.at + 1);
      case "ArrowUp": return this.select(this.at - 1);
      case "Tab": return this.take(this.at);
      case "Enter": return this.wanted ? this.take(this.at) : (this.close(), false);
      case "Escape": return this.close(), true;
      default: return false;
    }
  }

  // ---- completion

  /** The text has changed: go on with what was offered, or ask anew after a moment. */
  changed() {
    clearTimeout(this.timer);
    this.hide();
    if (!this.editor.focused()) return this.close();
    const { line, column } = this.editor.caret;
    const before = this.editor.lines[line - 1].slice(0, column - 1);
    const begun = /[A-Za-z_][A-Za-z_0-9]*$/.exec(before);
    const same = this.offered && this.offered.line === line && begun && begun.index + 1 === this.offered.start;
    if (same) return this.offer();
    this.close();
    if (begun || (before.endsWith(".") && !before.endsWith(".."))) this.timer = setTimeout(() => this.complete(false), PAUSE);
  }

  async complete(wanted) {
    clearTimeout(this.timer);
    const caret = this.editor.caret;
    const found = await this.ask("complete", caret);
    if (!found || !this.editor.focused() || this.editor.caret.line !== caret.line) return;
    this.offered = { line: caret.line, start: found.start, items: found.items };
    this.wanted = wanted;
    this.offer();
  }

  /** Show those of the words on offer that go on from what is typed. */
  offer() {
    const { line, start, items } = this.offered;
    const { column } = this.editor.caret;
    const begun = this.editor.lines[line - 1].slice(start - 1, column - 1).toLowerCase();
    const found = items.filter(({ text, fits }) => text.toLowerCase().startsWith(begun) && (fits || this.wanted));
    this.shown = found.length === 1 && found[0].text.toLowerCase() === begun ? [] : found.slice(0, MOST_SHOWN);
    this.at = 0;
    $("offers").replaceChildren(...this.shown.map((item, number) => h("li", { role: "option", id: `offer${number}`,
      class: item.fits ? null : "unfit", onmousedown: (event) => { event.preventDefault(); this.take(number); } },
    h("b", {}, item.text), h("span", { class: "note" }, ` ${item.detail || item.kind}`))));
    $("offers").hidden = !this.shown.length;
    if (!this.shown.length) return this.close();
    beside($("offers"), this.editor.box(line, start));
    this.mark();
    say(`${this.shown.length} completions: ${this.shown[0].text}`);
  }

  select(number) {
    this.at = (number + this.shown.length) % this.shown.length;
    this.wanted = true;
    this.mark();
    return true;
  }

  mark() {
    [...$("offers").children].forEach((item, number) => item.setAttribute("aria-selected", String(number === this.at)));
    this.editor.element.setAttribute("aria-activedescendant", `offer${this.at}`);
    $(`offer${this.at}`).scrollIntoView({ block: "nearest" });
  }

  take(number) {
    const { line, start } = this.offered;
    const { column } = this.editor.caret;
    const { text } = this.shown[number];
    this.close();
    this.editor.put({ line, column: start, end_column: column }, text);
    clearTimeout(this.timer);
    return true;
  }

  close() {
    clearTimeout(this.timer);
    this.offered = null;
    this.shown = [];
    $("offers").hidden = true;
    this.editor.element.removeAttribute("aria-activedescendant");
  }

  // ---- what a word is

  hover(event) {
    clearTimeout(this.timer);
    clearTimeout(this.leaving);
    if (event.buttons || this.shown.length) return;
    const { clientX: x, clientY: y } = event;
    this.timer = setTimeout(() => {
      const place = this.editor.under(x, y);
      if (place) this.explain(place);
    }, HOVERING);
  }

  leave() {
    if (!this.shown.length) clearTimeout(this.timer);
    this.leaving = setTimeout(() => this.hide(), LEAVING);
  }

  hide() {
    clearTimeout(this.leaving);
    $("aboutword").hidden = true;
  }

  /** Say what the word at a place is; with `aloud` also to those who cannot see it. */
  async explain(place, aloud = false) {
    const found = await this.ask("word", place);
    if (!found?.about) return this.hide();
    const elsewhere = found.declared.filter(({ line }) => line !== place.line);
    $("aboutword").replaceChildren(...marked(found.about), ...elsewhere.slice(0, 3).map(({ line, column }) =>
      h("button", { type: "button", class: "link", onclick: () => { this.hide(); this.editor.go(line, column); } },
        `Declared on line ${line}`)));
    $("aboutword").hidden = false;
    beside($("aboutword"), this.editor.box(found.span.line, found.span.column));
    if (aloud) say($("aboutword").textContent);
  }

  /** Go to where the word at a place is declared. */
  async jump(place) {
    const found = place && await this.ask("word", place);
    const [there] = found?.declared ?? [];
    if (there) this.editor.go(there.line, there.column);
    else if (found) say("This word is not declared in these rules.");
  }

  /** Make the first change that is suggested for the caret's line. */
  fix() {
    const { line } = this.editor.caret;
    const found = this.editor.diagnostics.find(({ fix, span }) => fix && span.line === line);
    if (found) this.editor.put(found.span, found.fix.text);
    return true;
  }
}

/** Put an element under a place of the window, or above it where there is more room. */
function beside(element, { left, top, bottom }) {
  const { width, height } = element.getBoundingClientRect();
  const below = bottom + height + 8 <= innerHeight || top < height + 8;
  element.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`;
  element.style.top = `${below ? bottom + 4 : top - height - 4}px`;
}
