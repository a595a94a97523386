// The rules as text that can be changed: highlighted, and with what is wrong with a line under it.
//
// The text is kept here and drawn into an editable element, a <div> for each line; what the browser would change is
// done to the text instead, so that the lines stay as they are drawn. Diagnostics are shown by CSS under their lines.

import { h } from "./dom.js";
import { parts } from "./highlight.js";

const MOST_UNDONE = 300;

export class Editor {
  /** `changed` is called with the text after each change by the user. */
  constructor(place, words, changed) {
    this.words = words;
    this.changed = changed;
    this.diagnostics = [];
    this.marked = new Set();
    this.lines = [];
    this.past = [];
    this.future = [];
    this.composing = false;
    this.typedUpTo = null;
    this.helper = null;  // is asked about keys first, and told of changes: {key(event), changed()}
    this.element = h("div", {
      class: "code", contenteditable: "true", role: "textbox", "aria-multiline": "true", "aria-label": "Rules of the game",
      spellcheck: "false", autocapitalize: "off", autocorrect: "off", translate: "no", tabindex: "0",
      onbeforeinput: (event) => this.input(event), onkeydown: (event) => this.key(event),
      oncompositionstart: () => { this.composing = true; }, oncompositionend: () => this.composed(),
      onpaste: (event) => this.paste(event), oncut: (event) => this.cut(event), oncopy: (event) => this.copy(event),
      ondrop: (event) => event.preventDefault(),
    });
    place.replaceChildren(this.element);
    this.set("");
  }

  get text() {
    return this.lines.join("\n");
  }

  /** Show another text; undoing does not go back past it. */
  set(text) {
    this.past = [];
    this.future = [];
    this.diagnostics = [];
    this.marked = new Set();
    this.lines = text.split("\n");
    this.draw();
  }

  /** Show what was found in the text: diagnostics as the server gives them. */
  find(diagnostics) {
    this.diagnostics = diagnostics;
    const caret = this.focused() ? this.selection() : null;
    this.draw();
    if (caret) this.select(...caret);
  }

  /** Mark some lines (numbers from 1) as those that are at work now. */
  mark(...lines) {
    this.marked = new Set(lines);
    [...this.element.children].forEach((line, number) => line.classList.toggle("marked", this.marked.has(number + 1)));
  }

  /** Show a line, and put the caret there. */
  go(line, column) {
    const offset = this.offsetOf(line, column);
    this.element.focus();
    this.select(offset, offset);
    this.element.children[line - 1]?.scrollIntoView({ block: "nearest" });
  }

  /** Put a text in the place of what stands at a span of one line. */
  put(span, text) {
    this.element.focus();
    this.replace(this.offsetOf(span.line, span.column), this.offsetOf(span.line, span.end_column), text);
  }

  /** Lines and columns, both from 1, as numbers of characters from the start of the text, and back. */
  offsetOf(line, column) {
    return this.lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + column - 1;
  }

  lineAt(offset) {
    const before = this.text.slice(0, offset).split("\n");
    return { line: before.length, column: before.at(-1).length + 1 };
  }

  get caret() {
    return this.lineAt(this.selection()[1]);
  }

  /** The place under a point of the window; null where none is. */
  under(x, y) {
    const found = document.caretPositionFromPoint?.(x, y) ?? document.caretRangeFromPoint?.(x, y);
    const node = found && (found.offsetNode ?? found.startContainer);
    return node && this.element.contains(node) ? this.lineAt(this.offset(node, found.offset ?? found.startOffset)) : null;
  }

  /** Where a place is in the window. */
  box(line, column) {
    const range = document.createRange();
    range.setStart(...this.place(this.offsetOf(line, column)));
    const { left, top, bottom } = range.getBoundingClientRect();
    const row = this.element.children[line - 1].getBoundingClientRect();
    return bottom ? { left, top, bottom } : { left: row.left, top: row.top, bottom: row.bottom };
  }

  // ---- drawing

  draw() {
    const under = new Map();
    for (const item of this.diagnostics) {
      const line = Math.min(item.span.line, this.lines.length);
      if (!under.has(line)) under.set(line, []);
      under.get(line).push(item);
    }
    const drawn = this.lines.map((line, number) => this.line(line, number + 1, under.get(number + 1) ?? []));
    const old = [...this.element.children];
    drawn.forEach((line, number) => {
      if (!old[number]) this.element.append(line);
      else if (old[number].outerHTML !== line.outerHTML) old[number].replaceWith(line);
    });
    old.slice(drawn.length).forEach((line) => line.remove());
  }

  line(text, number, found) {
    const worst = found.some((item) => item.severity === "error") ? "error" : found.length ? "warning" : "";
    const message = found.map((item) => `${"^".padStart(Math.min(item.span.column, 60))} ${item.phrase}`
      + (item.help ? `\n${" ".repeat(Math.min(item.span.column, 60))} ${item.help}` : "")).join("\n");
    const classes = ["line", worst, this.marked.has(number) ? "marked" : ""].filter(Boolean).join(" ");
    const line = h("div", { class: classes, "data-found": message || null });
    let column = 1;
    for (const [kind, part] of parts(text, this.words)) {
      const bad = found.some(({ span }) => span.line === number && column < this.end(span, number)
        && column + part.length > span.column);
      line.append(kind || bad ? h("span", { class: [kind, bad ? "bad" : ""].filter(Boolean).join(" ") }, part) : part);
      column += part.length;
    }
    if (!text) line.append(h("br"));
    return line;
  }

  end(span, number) {
    return span.end_line === number ? Math.max(span.end_column, span.column + 1) : Infinity;
  }

  // ---- the caret, as numbers of characters from the start of the text

  focused() {
    return document.activeElement === this.element;
  }

  selection() {
    const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection();
    const places = [this.offset(anchorNode, anchorOffset), this.offset(focusNode, focusOffset)];
    return places.sort((one, other) => one - other);
  }

  offset(node, within) {
    if (!node || !this.element.contains(node)) return this.text.length;
    if (node === this.element) return this.lines.slice(0, within).reduce((sum, line) => sum + line.length + 1, 0);
    let line = node;
    while (line.parentNode !== this.element) line = line.parentNode;
    const range = document.createRange();
    range.setStart(line, 0);
    range.setEnd(node, within);
    const number = [...this.element.children].indexOf(line);
    const before = this.lines.slice(0, number).reduce((sum, text) => sum + text.length + 1, 0);
    return Math.min(before + Math.min(range.toString().length, this.lines[number]?.length ?? 0), this.text.length);
  }

  select(from, to) {
    const range = document.createRange();
    range.setStart(...this.place(from));
    range.setEnd(...this.place(to));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }

  place(offset) {
    let number = 0;
    while (number < this.lines.length - 1 && offset > this.lines[number].length) {
      offset -= this.lines[number].length + 1;
      number += 1;
    }
    const line = this.element.children[number];
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (offset <= node.length) return [node, offset];
      offset -= node.length;
    }
    return [line, 0];
  }

  // ---- changing

  replace(from, to, inserted) {
    const text = this.text;
    const goesOn = inserted.length === 1 && inserted !== "\n" && from === to && this.typedUpTo === from;
    if (!goesOn) this.past.push([text, from, to]);  // characters typed one after another are undone together
    if (this.past.length > MOST_UNDONE) this.past.shift();
    this.future = [];
    this.typedUpTo = inserted.length === 1 && inserted !== "\n" ? from + 1 : null;
    this.change(text.slice(0, from) + inserted + text.slice(to), from + inserted.length, from + inserted.length);
  }

  change(text, from, to) {
    this.lines = text.split("\n");
    this.diagnostics = [];
    this.draw();
    this.select(from, to);
    this.changed(text);
    this.helper?.changed();
  }

  undo(from, to) {
    this.typedUpTo = null;
    const last = from.pop();
    if (!last) return;
    const [start, end] = this.selection();
    to.push([this.text, start, end]);
    this.change(...last);
  }

  input(event) {
    if (this.composing || event.inputType === "insertCompositionText") return;
    event.preventDefault();
    const [from, to] = this.selection();
    const text = this.text;
    const data = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
    switch (event.inputType) {
      case "insertText": case "insertReplacementText": case "insertFromDrop": case "insertFromYank":
        return this.replace(from, to, data);
      case "insertLineBreak": case "insertParagraph": {
        const line = text.slice(text.lastIndexOf("\n", from - 1) + 1, from);
        const indent = line.match(/^ */)[0] + (/:\s*(#.*)?$/.test(line) ? "    " : "");
        return this.replace(from, to, `\n${indent}`);
      }
      case "historyUndo": return this.undo(this.past, this.future);
      case "historyRedo": return this.undo(this.future, this.past);
    }
    if (!event.inputType.startsWith("delete")) return;
    if (from !== to) return this.replace(from, to, "");
    const forward = event.inputType.endsWith("Forward");
    const reach = /Word/.test(event.inputType) ? (forward ? /^\W*\w*/ : /\w*\W*$/)
      : /Line/.test(event.inputType) ? (forward ? /^\n|^.*/ : /\n$|.*$/) : (forward ? /^[^]/u : /[^]$/u);
    const length = ((forward ? text.slice(to) : text.slice(0, from)).match(reach) ?? [""])[0].length;
    if (length) this.replace(forward ? from : from - length, forward ? to + length : to, "");
  }

  key(event) {
    if (this.helper?.key(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key.toLowerCase() === "z") {
      event.preventDefault();
      event.stopPropagation();
      if (event.shiftKey) this.undo(this.future, this.past);
      else this.undo(this.past, this.future);
    } else if (control && event.key.toLowerCase() === "y") {
      event.preventDefault();
      this.undo(this.future, this.past);
    } else {
      event.stopPropagation();
    }
  }

  composed() {
    this.composing = false;
    const [from] = this.selection();
    const text = [...this.element.children].map((line) => line.textContent).join("\n");
    this.past.push([this.text, from, from]);
    this.change(text, from, from);
  }

  paste(event) {
    event.preventDefault();
    this.replace(...this.selection(), event.clipboardData.getData("text/plain").replace(/\r\n?/g, "\n"));
  }

  copy(event) {
    event.preventDefault();
    const [from, to] = this.selection();
    event.clipboardData.setData("text/plain", this.text.slice(from, to));
  }

  cut(event) {
    this.copy(event);
    const [from, to] = this.selection();
    if (from !== to) this.replace(from, to, "");
  }
}
