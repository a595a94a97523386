// The picture of a position put together from its parts, which dslgame/web/playing_alone.py drew: the board with nothing
// on it, and what stands on cells, drawn at the origin and moved to its cell. Lengths are in cells.

const BLANKS = /\ue000+/;    // in parts: where a text stands, or a colour

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const rounded = (value) => String(Math.round(value * 1000) / 1000);
const textWidth = (words, size) => 0.62 * size * [...words].length;
const part = (kind, element, data = "") => (element ? `<g class="${kind}"${data}>${element}</g>` : "");
const moved = (element, [x, y]) => (element ? `<g transform="translate(${rounded(x)} ${rounded(y)})">${element}</g>` : "");
const filled = (element, words) => (element ?? "").replace(BLANKS, () => escaped(words));

export class Painter {
  /** `kernel` is a compiled game, `game` what the page knows of it. */
  constructor(kernel, game) {
    this.kernel = kernel;
    this.game = game;
    this.parts = game.picture;
  }

  /** What is on the cells of a row: for each cell the pieces, the lowest first, and what variables say of it. */
  contents(row) {
    const { of_cells: kinds, absent } = this.parts;
    const piles = this.kernel.piles(row);
    const columns = kinds.map((kind) => this.kernel.values(row, kind.name));
    return piles.map((pile, cell) => {
      const values = columns.map((column) => column[cell]);
      const said = kinds.map((kind, number) => values[number] !== kind.quiet);
      const short = (kind, value) => {
        if (value === null) return absent;
        return kind.short ? kind.short[value] : this.text(kind, value);
      };
      return {
        pile,
        words: said.some(Boolean) ? kinds.map((kind, number) => short(kind, values[number])).join(",") : "",
        spoken: kinds.flatMap((kind, number) => (
          said[number] ? [`${kind.name} ${values[number] === null ? "none" : this.text(kind, values[number])}`] : [])),
      };
    });
  }

  /** A value of a variable as it is written. */
  text(kind, value) {
    return kind.texts === null ? String(value) : kind.texts[value - kind.low];
  }

  /** What stands on a cell, in words. */
  words({ pile, spoken }) {
    const { names } = this.parts;
    const under = pile.slice(0, -1).reverse().map((piece) => names[piece]);
    return [pile.length ? names[pile.at(-1)] : "", under.length ? `on ${under.join(", ")}` : "", ...spoken]
      .filter(Boolean).join(" ");
  }

  /** The cells of a row: number, name, place, and what stands there in words. */
  cells(row) {
    const contents = this.contents(row);
    return this.shown(contents).map((number) => this.game.cells[number]).map((cell) => [...cell.slice(0, 4), this.words(contents[cell[0]]), ...cell.slice(5)]);
  }

  /** The numbers of the cells to show: all; of a board without an end what is occupied, and a row or column around it. */
  shown(contents) {
    const { window } = this.parts;
    if (!window) return contents.map((_, cell) => cell);
    const last = this.last(contents);
    return this.game.cells.filter(([, , , , , row, column]) => (
      row >= window.first[0] && row <= last[0] && column >= window.first[1] && column <= last[1])).map(([cell]) => cell);
  }

  /** The last row and column that are shown of a board without an end. */
  last(contents) {
    const last = [...this.parts.window.first];
    this.game.cells.forEach(([cell, , , , , row, column]) => {
      if (!contents[cell].pile.length) return;
      last[0] = Math.max(last[0], row + 1);
      last[1] = Math.max(last[1], column + 1);
    });
    return last;
  }

  /** The board with nothing on it, its labels, and the bounds of both. */
  board(contents) {
    const { window, ground, labels, bounds } = this.parts;
    if (!window) return { ground, labels, bounds };
    const [rows, columns] = this.last(contents);
    const between = (from, to, found) => Array.from({ length: to - from }, (_, k) => found[from + 1 + k]).flat();
    const written = [...window.labels, ...between(window.first[0], rows, window.rows),
      ...between(window.first[1], columns, window.columns)];
    const cells = this.shown(contents).map((cell) => window.cells[cell]);
    const all = [...cells, ...written].map((part) => part.bounds);
    const text = (parts) => parts.map((part) => part.element).join("\n");
    return {
      ground: text(cells), labels: text(written),
      bounds: [0, 1, 2, 3].map((side) => (side < 2 ? Math.min : Math.max)(...all.map((each) => each[side]))),
    };
  }

  /** The picture of a row: {body, box}, with some cells marked. */
  picture(row, marked = []) {
    const { parts } = this;
    const contents = this.contents(row);
    const { ground, labels, bounds } = this.board(contents);
    const under = this.below(row, contents, bounds);
    const body = [
      this.bars(row), ground, ...this.links(row), ...this.sites(row),
      ...contents.map((content, cell) => this.placed(content, cell, row)),
      part("marks", marked.map((cell) => moved(parts.last, parts.places[cell])).join("")),
      labels, part("below", under.elements.join("")),
    ];
    const margin = 0.15;
    const [left, top, right, bottom] = under.bounds;
    return {
      body: body.filter(Boolean).join("\n"),
      box: [left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin],
    };
  }

  /** What stands on a cell, drawn there. */
  placed(content, cell, row) {
    const piece = content.pile.at(-1);
    const scale = piece && this.scale(piece, cell, row);
    const standing = this.standing(content);
    if (piece && this.parts.long) return part("piece", moved(this.along(content, cell), this.parts.places[cell]), ` data-cell="${cell}" data-kind="${piece}"`);
    const drawn = moved(scale ? `<g transform="scale(${scale})">${standing}</g>` : standing, this.parts.places[cell]);
    return piece ? part("piece", drawn, ` data-cell="${cell}" data-kind="${piece}"`) : part("words", drawn);
  }

  /** How large a piece on a cell is, where its cell says that. */
  scale(piece, cell, row) {
    const sizes = this.parts.sizes[piece];
    if (!sizes) return null;
    const value = sizes.variable === null ? cell : this.kernel.values(row, sizes.variable)[cell];
    return value === null ? null : sizes.scales[value - sizes.low];
  }

  /** What stands on a cell, drawn at the origin. */
  standing({ pile, words }) {
    const { pieces } = this.parts;
    if (pile.length > 1) return this.piled(pile, words);
    const piece = pieces[pile[0] ?? 0];
    if (!words) return piece.bare;
    return piece.signs[words] ?? filled(piece.lengths[[...words].length - 1] ?? piece.bare, words);
  }

  /** What lies along a long cell, drawn at its middle. */
  along({ pile, words }, cell) {
    const { towards, border, step, pieces, texts } = this.parts.long;
    const by = Math.min(step, (2 * border) / Math.max(1, pile.length - 1));
    const at = (place) => [0, towards[cell] * (place * by - border)];
    const beside = [by < step ? String(pile.length) : "", words].filter(Boolean).join(",");
    const text = filled(texts[pile.at(-1)][[...beside].length - 1], beside);
    return pile.map((piece, place) => moved(pieces[piece], at(place))).join("") + moved(text, at(pile.length - 1));
  }

  piled(pile, words) {
    const { covered, top, step, lean, corner } = this.parts.pile;
    const by = Math.min(step, lean / (pile.length - 1));
    const low = (by * (pile.length - 1)) / 2;
    const drawn = pile.map((piece, place) => (
      moved((place === pile.length - 1 ? top : covered)[piece], [0, low - by * place])));
    const beside = [String(pile.length), words].filter(Boolean).join(",");
    return drawn.join("") + filled(corner[[...beside].length - 1], beside);
  }

  bars(row) {
    const { bars } = this.parts;
    if (!bars) return "";
    const values = this.kernel.values(row, bars.variable);
    return [...values.map((value, line) => bars.by_value[(value ?? 0) - bars.low][line]), bars.frame].join("\n");
  }

  links(row) {
    const board = this.kernel.board(row);
    return this.parts.links.flatMap(({ pairs, colours, element }, kind) => pairs.flatMap(([one, other], link) => {
      const there = row[2 * (this.game.links[kind] + (link >> 6)) + ((link >> 5) & 1)] >>> (link & 31) & 1;
      if (!there) return [];
      const [from, to] = [this.parts.places[one], this.parts.places[other]];
      return [element.replace(/([xy])([12])="[^"]*"/g, (_, axis, end) => (
        `${axis}${end}="${(end === "1" ? from : to)[axis === "x" ? 0 : 1]}"`)).replace(BLANKS, colours[board[one]])];
    }));
  }

  sites(row) {
    return this.parts.sites.flatMap(({ variable, low, elements }) => (
      this.kernel.values(row, variable).map((value, site) => (value === null ? "" : elements[site][value - low]))));
  }

  /** The lines under the board, and the bounds of the picture with them. */
  below(row, contents, [left, top, right, bottom]) {
    const { size, line, least } = this.parts;
    const bounds = [left, top, right, bottom];
    const elements = [];
    const middle = (left + right) / 2;
    let y = bottom + 0.45;
    for (const words of this.lines(row, contents).flatMap((text) => broken(text, Math.max(right - left, least), size))) {
      const half = textWidth(words, size) / 2;
      elements.push(`<text x="${rounded(middle)}" y="${rounded(y + 0.36 * size)}" font-size="${size}" `
        + `text-anchor="middle" fill="#222222">${escaped(words)}</text>`);
      bounds[0] = Math.min(bounds[0], middle - half);
      bounds[2] = Math.max(bounds[2], middle + half);
      bounds[3] = Math.max(bounds[3], y + size / 2);
      y += line;
    }
    return { elements, bounds };
  }

  /** What belongs to no cell, in lines. */
  lines(row, contents) {
    const { lines, glyphs } = this.parts;
    const found = [];
    for (const kind of lines) {
      const values = this.kernel.values(row, kind.name);
      if (values.every((value) => value === null || (kind.boolean && !value))) continue;
      const said = values.map((value, place) => {
        const label = kind.labels[place];
        return `${label && `${label}=`}${value === null ? kind.none : this.text(kind, value)}`;
      });
      const shown = kind.sparse ? said.filter((_, place) => values[place] !== kind.quiet)
        : said.slice(kind.empty && kind.empty[0] === String(values[0]) ? 1 : 0);
      found.push(`${kind.name}: ${shown.join(", ") || "none"}`);
    }
    const joint = glyphs.slice(1).some((glyph) => glyph.length > 1) ? "+" : "";
    const high = contents.flatMap(({ pile }, cell) => (
      pile.length > 1 ? [`${this.kernel.cells[cell]}=${pile.map((piece) => glyphs[piece]).join(joint)}`] : []));
    if (high.length) found.push(`piles: ${high.join(", ")}`);
    if (row[2 * this.game.seats]) {
      const [one, other] = this.kernel.players;
      found.push(`seats: ${one} in the place of ${other}, ${other} in the place of ${one}`);
    }
    return found;
  }
}

/** A line of values in as many lines as a width takes. */
function broken(line, width, size) {
  const rows = [""];
  for (const words of line.split(", ")) {
    const before = rows.at(-1);
    const longer = before ? `${before}, ${words}` : words;
    if (before && textWidth(longer, size) > width) {
      rows[rows.length - 1] += ",";
      rows.push(words);
    } else {
      rows[rows.length - 1] = longer;
    }
  }
  return rows;
}
