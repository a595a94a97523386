// Where positions come from: `Listed` has all of them in the page's data, `Played` makes them by a game's rules. Both
// have the same methods. A node is a position; a line is the list of nodes of a game so far, the last one current.

import { Painter } from "./painter.js";

export const GOES_ON = -2;
export const DRAW = -1;

/** What both have: the rule on repetition. */
class Source {
  constructor(game) {
    this.game = game;
  }

  /** How often the last node of a line was there before, by the rule on repetition. */
  times(line, node) {
    const same = this.same(node);
    return line.filter((other) => this.same(other) === same).length;
  }

  /** The legal moves at the end of a line, {text, paths, node} each, where `node` is a function; without those that
   * repeat where that is forbidden. */
  legal(line) {
    const node = line.at(-1);
    if (this.result(node) !== GOES_ON) return [];
    const found = this.moves(node);
    if (this.game.repetition !== "forbidden") return found;
    return found.filter((move) => {
      const after = move.node();
      return this.result(after) !== GOES_ON || this.times(line, after) < this.game.repetition_at - 1;
    });
  }

  /** The outcome at the end of a line: a side, DRAW, or GOES_ON; by the rule on repetition, too. */
  outcome(line) {
    const { repetition, repetition_at: at, players, no_moves: stuck } = this.game;
    const node = line.at(-1);
    const found = this.result(node);
    const sides = [...new Set(players.map(({ side }) => side))];
    const other = (side) => (sides.length === 2 ? sides.find((one) => one !== side) : DRAW);
    if (found !== GOES_ON || line.length < 2 || !repetition) return found;
    if (repetition === "forbidden") {
      if (this.legal(line).length) return GOES_ON;
      return { draws: DRAW, wins: this.side(node), loses: other(this.side(node)) }[stuck] ?? DRAW;
    }
    if (this.times(line.slice(0, -1), node) < at - 1) return GOES_ON;
    return repetition === "loses" ? other(this.side(line.at(-2))) : DRAW;
  }

  /** The side of the player to move at a node, as results name it: the player, or the first one of its team. */
  side(node) {
    return this.game.players[this.mover(node)].side;
  }
}

/** Positions that are all in the page's data; a node is a number. */
export class Listed extends Source {
  start() {
    return 0;
  }

  mover(node) {
    return this.game.nodes[node][0];
  }

  result(node) {
    return this.game.nodes[node][1];
  }

  same(node) {
    return this.game.same ? this.game.same[node] : node;
  }

  moves(node) {
    const flat = this.game.nodes[node][5];
    return Array.from({ length: flat.length / 2 }, (_, index) => {
      const [text, paths] = this.game.choices[flat[2 * index]];
      return { text, paths, node: () => flat[2 * index + 1] };
    });
  }

  /** What the board shows of a node. */
  view(node) {
    const [, , elements, box, contents] = this.game.nodes[node];
    return {
      cells: this.game.cells.map((cell, index) => [...cell.slice(0, 4), this.game.contents[contents[index]], ...cell.slice(5)]),
      picture: { body: elements.map((index) => this.game.elements[index]).join("\n"), box: this.game.boxes[box] },
    };
  }

  /** Who wins a node, and in how many plies; null where that is not known. */
  value(node) {
    const [winner, plies] = this.game.nodes[node][6];
    return winner === undefined ? null : { winner, plies };
  }
}

/** Positions that a compiled game makes; a node is {row, key}. */
export class Played extends Source {
  constructor(kernel, game) {
    super(game);
    this.kernel = kernel;
    this.painter = new Painter(kernel, game);
  }

  start() {
    return this.node(Int32Array.from(this.game.start));
  }

  node(row, before = null, move = null) {
    const told = row.slice(0, 2 * this.game.width);
    for (const place of this.game.aside) told.fill(0, 2 * place, 2 * place + 2);
    return { row, key: told.join(), before, move, found: null };
  }

  mover(node) {
    return this.kernel.toMove(node.row) ?? this.kernel.toMove(node.before.row);
  }

  result(node) {
    return this.kernel.outcome(node.row) ?? GOES_ON;
  }

  same(node) {
    return node.key;
  }

  moves(node) {
    node.found ??= this.kernel.legal(node.row).map((move) => {
      let after = null;
      return {
        text: this.kernel.text(move), move, paths: paths(this.game, move),
        node: () => (after ??= this.node(this.kernel.play(node.row, move), node, move)),
      };
    });
    return node.found;
  }

  view(node) {
    return { cells: this.painter.cells(node.row), picture: this.painter.picture(node.row, this.marked(node)) };
  }

  /** The cells that the last move named, or, where it named none, those that it changed. */
  marked({ row, before, move }) {
    if (!move || move.rule < 0) return [];
    const named = paths(this.game, move)[0].slice(1).filter((choice) => choice[0] === "c");
    if (named.length) return this.shifted([...new Set(named.map((choice) => Number(choice.slice(1))))], before.row, row);
    const [one, other] = [this.kernel.board(before.row), this.kernel.board(row)];
    return one.flatMap((piece, cell) => (piece === other[cell] ? [] : [cell]));
  }

  /** Cells of a row as they are numbered in the row after it: a board without an end is shifted as it grows. */
  shifted(cells, before, after) {
    if (!this.game.picture.window) return cells;
    const occupied = (row) => this.kernel.board(row).flatMap((piece, cell) => (piece ? [cell] : []));
    const first = (found) => [5, 6].map((axis) => Math.min(...found.map((cell) => this.game.cells[cell][axis])));
    const [one, other] = [first([...occupied(before), ...cells]), first(occupied(after))];
    const numbers = new Map(this.game.cells.map((cell) => [`${cell[5]},${cell[6]}`, cell[0]]));
    return cells.map((cell) => numbers.get(
      [5, 6].map((axis, place) => this.game.cells[cell][axis] + other[place] - one[place]).join(","))).filter(Number.isInteger);
  }

  value() {
    return null;
  }
}

/** Every path of a move, as dslgame/web/choosing.py writes them: choices that may be made in any order in each. */
export function paths(game, { rule, values }) {
  const kinds = [];
  const stretches = [];
  for (let number = rule, given = 0; number >= 0;) {
    const { choices, onward } = game.rules_of_moves[number];
    for (const [kind, count] of choices.slice(given)) {
      if (count > 1) stretches.push([kinds.length, kinds.length + count]);
      for (let each = 0; each < count; each += 1) kinds.push(kind);
    }
    if (!onward || kinds.length >= values.length) break;
    [number, given] = onward;
  }
  const written = (kind, value) => (kind.labels
    ? `${kind.letter}${value}:${kind.labels[value - kind.low]}` : `${kind.letter}${value}`);
  return orders(values, stretches, game.most_orders).map((order) => (
    [rule, ...kinds.slice(0, order.length).map((kind, place) => written(kind, order[place]))]));
}

/** The values with those of each stretch in every order, the last stretch changing first, at most so many. */
function orders(values, stretches, most) {
  let found = [[...values]];
  for (const [from, until] of stretches) {
    const next = [];
    for (const order of found) {
      for (const part of arranged(order.slice(from, until), most)) {
        next.push([...order.slice(0, from), ...part, ...order.slice(until)]);
      }
    }
    found = next.slice(0, most);
  }
  return found;
}

function arranged(items, most) {
  if (items.length < 2) return [items];
  const found = [];
  for (let first = 0; first < items.length && found.length < most; first += 1) {
    const rest = [...items.slice(0, first), ...items.slice(first + 1)];
    for (const other of arranged(rest, most - found.length)) found.push([items[first], ...other]);
  }
  return found;
}
