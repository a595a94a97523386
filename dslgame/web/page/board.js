// The board: the server's picture, and over it a shape for each cell that can be clicked, focused and read out.

import { deepen } from "./depth.js";
import { picture, s } from "./dom.js";
import { animate, changes, few, shifted, standing } from "./motion.js";

const LARGEST = 260;    // pixels of a cell where there is much room
const SMALLEST = 24;    // pixels of a cell that can still be hit; a board with smaller ones is scrolled
const LABEL = 24;       // pixels of the letters of coordinates at most
const SHARE = 0.62;     // how much of the window's height a board takes where it stands above everything else
const ZOOMS = [0.5, 0.7, 1, 1.4, 2, 2.8, 4];
const MANY = 60;        // cells that can be chosen, beyond which their marks are faint
const MOVING = 240;     // ms that pieces move at most
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** What gives the height at which cells have their marks: in the middle, or at the end of long ones that is free longest. */
function ending(shape, cells) {
  const [ys, all] = [shape.map(([, y]) => y), [...cells.values()].map(({ y }) => y)];
  const beyond = Math.max(0, (Math.max(...ys) - Math.min(...ys)) / 2 - 0.5);
  const middle = (Math.max(...all) + Math.min(...all)) / 2;
  if (!shape.length || beyond < 0.5) return (cell) => cell.y;
  return (cell) => cell.y + (cell.y < middle ? beyond : -beyond);
}

export class Board {
  /** `clicked` is called with a cell {number, name, x, y, content, row, column}; `cancelled` without anything. */
  constructor(place, { clicked, cancelled }) {
    this.place = place;
    this.clicked = clicked;
    this.cancelled = cancelled;
    this.cells = new Map();
    this.shapes = new Map();
    this.current = null;
    this.box = null;     // of the picture: left, top, width and height in cells
    this.pieces = new Map();  // those of the picture that is shown, see motion.js
    this.stage = null;   // what is turned: the picture and the shapes over it
    this.turned = 0;     // quarter turns
    this.zoom = 1;
    new ResizeObserver(() => this.fit()).observe(place);
    addEventListener("resize", () => this.fit());
    place.addEventListener("wheel", (event) => {
      if (!event.ctrlKey || !event.deltaY) return;
      event.preventDefault();
      this.larger(event.deltaY < 0 ? 1 : -1);
    }, { passive: false });
  }

  /** Let buttons change how large the board is and which side is up. */
  wire({ smaller, whole, larger, turn }) {
    smaller.addEventListener("click", () => this.larger(-1));
    larger.addEventListener("click", () => this.larger(1));
    whole.addEventListener("click", () => this.larger(0));
    turn.addEventListener("click", () => this.turn());
  }

  /** One step larger (1) or smaller (-1), or as large as the window allows (0). */
  larger(step) {
    const at = ZOOMS.indexOf(this.zoom);
    this.zoom = step ? ZOOMS[Math.max(0, Math.min(at + step, ZOOMS.length - 1))] : 1;
    const { scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth, scrollHeight } = this.place;
    const middle = [(scrollLeft + clientWidth / 2) / scrollWidth, (scrollTop + clientHeight / 2) / scrollHeight];
    this.fit();
    this.place.scrollLeft = middle[0] * this.place.scrollWidth - clientWidth / 2;
    this.place.scrollTop = middle[1] * this.place.scrollHeight - clientHeight / 2;
  }

  /** Turn the board by a quarter, clockwise. */
  turn() {
    this.turned = (this.turned + 1) % 4;
    this.orient();
  }

  /** The largest size at which the whole board is seen, but no cell smaller than can be hit. */
  fit() {
    const svg = this.place.firstElementChild;
    if (!svg || !this.box) return;
    const [across, down] = this.turned % 2 ? [this.box[3], this.box[2]] : [this.box[2], this.box[3]];
    const high = matchMedia("(min-width: 860px)").matches ? this.place.offsetHeight : innerHeight * SHARE;
    const most = Math.min((this.place.offsetWidth - 1) / across, (high - 1) / down, LARGEST);
    const scale = Math.max(most, SMALLEST) * this.zoom;
    svg.style.width = `${across * scale}px`;
    svg.style.height = `${down * scale}px`;
    this.stage.querySelectorAll(".labels text").forEach((text) => {
      text.dataset.size ??= text.getAttribute("font-size");
      const [usual, size] = [Number(text.dataset.size), Math.min(text.dataset.size, LABEL / scale)];
      text.setAttribute("font-size", size);
      text.setAttribute("dy", 0.36 * (size - usual));  // so that it keeps its middle
    });
  }

  /** Turn the picture as it is to be seen; texts stay upright. */
  orient() {
    const svg = this.place.firstElementChild;
    if (!svg) return;
    const [left, top, width, height] = this.box;
    const [x, y] = [left + width / 2, top + height / 2];
    svg.setAttribute("viewBox", (this.turned % 2 ? [x - height / 2, y - width / 2, height, width] : this.box).join(" "));
    this.stage.setAttribute("transform", `rotate(${90 * this.turned} ${x} ${y})`);
    this.stage.querySelectorAll("text").forEach((text) => this.upright(text));
    this.fit();
  }

  upright(text) {
    text.dataset.given ??= text.getAttribute("transform") ?? "";
    const { x, y, width, height } = text.getBBox();
    const back = this.turned ? `rotate(${-90 * this.turned} ${x + width / 2} ${y + height / 2})` : "";
    text.setAttribute("transform", `${text.dataset.given} ${back}`.trim());
  }

  /**
   * Show a position of a game; with `moving` pieces move to where they are now, those of `slid` as that says. What changed,
   * null where too much did.
   */
  show(position, game, moving = false, slid = []) {
    const focused = this.place.contains(document.activeElement);
    this.cells = new Map(position.cells.map(([number, name, x, y, content, row, column]) =>
      [number, { number, name, x, y, content, row, column }]));
    const [svg, changed] = this.drawn(position.picture, moving ? MOVING : 0, slid);
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", `${game.title}: the board. Arrow keys move from cell to cell, Enter chooses.`);
    const layer = s("g", { class: "cells" });
    this.shapes = new Map();
    this.end = ending(game.shape, this.cells);
    for (const cell of this.cells.values()) {
      const shape = game.shape.length
        ? s("polygon", { points: game.shape.map(([x, y]) => `${cell.x + x},${cell.y + y}`).join(" ") })
        : s("circle", { cx: cell.x, cy: cell.y, r: 0.42 });
      const group = s("g", {
        class: "cell", role: "button", tabindex: "-1", "data-cell": cell.name,
        onclick: () => this.choose(cell), onkeydown: (event) => this.key(event, cell),
        onfocus: () => this.focusable(cell.number),
      }, shape);
      this.shapes.set(cell.number, group);
      layer.append(group);
    }
    this.stage.append(layer);
    this.offer(new Map(), new Set());
    this.focusable(this.cells.has(this.current) ? this.current : this.cells.keys().next().value);
    if (focused) this.focus();
    return changed;
  }

  /** Let borders between cells be clicked: [move, lines] each; `clicked` is called with the move. */
  walls(found, clicked) {
    this.stage.querySelector(".walls")?.remove();
    const wall = ([move, lines]) => s("g", { class: "wall", "data-move": move, onclick: () => clicked(move) },
      s("title", {}, move), ...lines.map(([x1, y1, x2, y2]) => s("line", { x1, y1, x2, y2 })));
    this.stage.append(s("g", { class: "walls", "aria-hidden": "true" }, ...found.map(wall)));
  }

  /** Show a picture alone, as a step of a move that takes so many ms. What changed, null where too much did. */
  frame(drawn, duration, slid) {
    const [svg, changed] = this.drawn(drawn, Math.min(duration, MOVING), slid);
    svg.setAttribute("aria-hidden", "true");
    return changed;
  }

  /** Show a picture; where that takes some ms, pieces move from where they were in the one before. */
  drawn(drawn, duration, slid = []) {
    const bars = this.stage?.querySelectorAll(".bars rect");
    const svg = picture(drawn);
    const same = this.box && [0, 1, 2].every((side) => this.box[side] === drawn.box[side]);
    this.box = drawn.box;
    this.stage = s("g", {}, ...svg.childNodes);
    svg.append(this.stage);
    deepen(svg);
    const [before, after] = [this.pieces, standing(svg)];
    this.pieces = after;
    this.place.replaceChildren(svg);
    this.orient();
    const where = (cell) => [this.cells.get(cell)?.x ?? 0, this.cells.get(cell)?.y ?? 0];
    const changed = same && duration ? changes(before, after, where, slid) : null;
    if (!changed || !few(changed)) return [svg, null];
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      animate(changed, before, after, where, svg.querySelector(".picture"), duration);
      shifted(bars, svg.querySelectorAll(".bars rect"), duration);
    }
    return [svg, changed];
  }

  /** Show which cells can be chosen (a Map from their numbers to what each is worth: {kind, label} or null). */
  offer(targets, chosen) {
    this.place.classList.toggle("many", targets.size > MANY);
    for (const [number, group] of this.shapes) {
      const cell = this.cells.get(number);
      const target = targets.has(number);
      const worth = targets.get(number);
      group.querySelectorAll(".hint, .worth").forEach((mark) => mark.remove());
      group.setAttribute("class", ["cell", target && "target", chosen.has(number) && "chosen", worth?.kind,
        worth?.best && "best"].filter(Boolean).join(" "));
      group.firstChild.style.fill = worth?.heat === undefined ? "" : `rgb(91 75 176 / ${0.08 + (cell.content ? 0.25 : 0.5) * worth.heat})`;
      group.setAttribute("aria-pressed", String(chosen.has(number)));
      group.setAttribute("aria-disabled", String(!target && !chosen.has(number)));
      group.setAttribute("aria-label", [
        `${cell.name}, ${cell.content || "empty"}`, chosen.has(number) && "chosen", target && "can be chosen",
        worth && worth.words, worth?.best && "best",
      ].filter(Boolean).join(", "));
      if (target && !worth) {
        const around = { class: "hint around", cx: cell.x, cy: this.end(cell), r: 0.42 };
        group.append(s("circle", cell.content ? around : { class: "hint", cx: cell.x, cy: this.end(cell), r: 0.11 }));
      }
      if (worth && !worth.bare) {
        const end = this.end(cell);
        const [y, large] = cell.content && end === cell.y ? [cell.y + 0.31, 0.75] : [end, 1];  // a piece is seen above what it is worth
        group.append(s("g", { class: "worth", "aria-hidden": "true" },
          s("rect", { x: cell.x - 0.36 * large, y: y - 0.2 * large, width: 0.72 * large, height: 0.4 * large, rx: 0.12 * large }),
          s("text", { x: cell.x, y: y + 0.105 * large, "font-size": (worth.label.length > 2 ? 0.25 : 0.3) * large,
            "text-anchor": "middle" }, worth.label)));
        if (this.turned) this.upright(group.querySelector(".worth text"));
      }
    }
  }

  choose(cell) {
    this.focusable(cell.number);
    this.clicked(cell);
  }

  focusable(number) {
    this.shapes.get(this.current)?.setAttribute("tabindex", "-1");
    this.current = number;
    this.shapes.get(number)?.setAttribute("tabindex", "0");
  }

  focus() {
    this.shapes.get(this.current)?.focus({ preventScroll: true });
  }

  key(event, cell) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.choose(cell);
    } else if (event.key === "Escape") {
      this.cancelled();
    } else if (event.key in ARROWS && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      const next = this.towards(cell, ARROWS[event.key]);
      if (next) {
        this.focusable(next.number);
        this.focus();
      }
    }
  }

  /**
   * The cell to which an arrow leads: the nearest within 60 degrees of its direction, so that no row is skipped where rows
   * are shifted against each other; of two as near the one that keeps closer to where a run of the same arrows began.
   */
  towards(cell, [right, down]) {
    const [dx, dy] = [[right, down], [down, -right], [-right, -down], [-down, right]][this.turned];
    const axis = dx ? "y" : "x";
    if (this.run?.axis !== axis || this.run.last !== cell.number) this.run = { axis, start: cell[axis] };
    let best = null;
    let least = [Infinity, Infinity];
    for (const other of this.cells.values()) {
      const ahead = (other.x - cell.x) * dx + (other.y - cell.y) * dy;
      const aside = Math.abs((other.x - cell.x) * dy) + Math.abs((other.y - cell.y) * dx);
      if (ahead < 0.2) continue;
      const near = aside > 1.75 * ahead ? 1e3 + ahead + 2.2 * aside : Math.hypot(ahead, aside);
      const off = Math.abs(other[axis] - this.run.start);
      if (near < least[0] - 0.01 || (near < least[0] + 0.01 && off < least[1])) {
        best = other;
        least = [near, off];
      }
    }
    this.run.last = best?.number;
    return best;
  }
}
