// The search of a file that plays by itself: UCT (Kocsis and Szepesvári, 2006) on random games of the compiled rules, and
// results that are proven where they are (Winands, Björnsson and Saito, 2008). It works in slices, so that the page answers.

import { DRAW, GOES_ON } from "./sources.js";

const SLICE = 20;            // milliseconds
const EXPLORATION = 1.2;
const LONGEST = 400;         // plies of a random game; longer ones count as draws

/** A position in the search's tree: visits, each side's sum of results, and the result where it is proven. */
class Node {
  constructor(place, move, source, line) {
    this.place = place;
    this.move = move;
    this.side = source.side(place);
    this.visits = 0;
    this.sums = source.game.players.map(() => 0);
    const result = source.outcome(line);
    this.proven = result === GOES_ON ? null : result;
    this.waiting = null;     // moves that have no node yet
    this.children = [];
  }
}

export class Search {
  /** Search the end of a line of a `Played` source. */
  constructor(source, line, random = Math.random) {
    this.source = source;
    this.line = line;
    this.random = random;
    this.root = new Node(line.at(-1), null, source, line);
    this.cancelled = false;
  }

  /** The best move after so many milliseconds, or once it is proven; null where the search was cancelled. */
  async best(milliseconds) {
    const end = performance.now() + milliseconds;
    while (!this.cancelled && this.root.proven === null && performance.now() < end) {
      const pause = Math.min(performance.now() + SLICE, end);
      do this.step(); while (this.root.proven === null && performance.now() < pause);
      await new Promise((resolve) => setTimeout(resolve));
    }
    return this.cancelled ? null : this.choice();
  }

  /** Many steps at once. */
  steps(many) {
    for (let step = 0; step < many && this.root.proven === null; step += 1) this.step();
    return this.choice();
  }

  /** The move to make: one that is proven to win, else the most visited of those that are not proven to lose. */
  choice() {
    const { side, children, waiting } = this.root;
    if (!children.length) return (waiting ?? this.source.legal(this.line))[0] ?? null;
    const rank = ({ proven, visits }) => {
      if (proven === side) return Infinity;
      return proven === null ? visits : proven === DRAW ? this.drawn() : visits - 1e12;
    };
    return children.reduce((one, other) => (rank(other) > rank(one) ? other : one)).move;
  }

  /** What a proven draw ranks as among numbers of visits: before moves that have lost more than they have won. */
  drawn() {
    const { side, children } = this.root;
    const better = children.filter((child) => child.proven === null && child.sums[side] > child.visits / 2);
    return better.length ? 0.5 : 1e11;
  }

  /** One random game from a leaf of the tree, which grows by one node. */
  step() {
    const line = [...this.line];
    const path = [this.root];
    let node = this.root;
    while (node.proven === null) {
      node.waiting ??= this.shuffled(this.source.legal(line));
      const move = node.waiting.pop();
      let next;
      if (move) {
        line.push(move.node());
        next = new Node(line.at(-1), move, this.source, line);
        node.children.push(next);
      } else {
        next = this.selected(node);
        if (!next) break;
        line.push(next.place);
      }
      path.push(next);
      node = next;
      if (move) break;
    }
    const result = node.proven ?? this.playedOut(node);
    path.forEach((each) => this.count(each, result));
    for (let depth = path.length - 2; depth >= 0; depth -= 1) if (!this.prove(path[depth])) break;
  }

  shuffled(moves) {
    const found = [...moves];
    for (let last = found.length - 1; last > 0; last -= 1) {
      const other = Math.floor(this.random() * (last + 1));
      [found[last], found[other]] = [found[other], found[last]];
    }
    return found;
  }

  selected(node) {
    let best = null;
    let most = -Infinity;
    const log = Math.log(node.visits + 1);
    for (const child of node.children) {
      if (child.proven !== null) continue;
      const value = child.sums[node.side] / child.visits + EXPLORATION * Math.sqrt(log / child.visits);
      if (value > most) [best, most] = [child, value];
    }
    return best;
  }

  playedOut(node) {
    const { kernel } = this.source;
    const seed = Math.floor(this.random() * Number.MAX_SAFE_INTEGER);
    return kernel.outcome(kernel.playOut(node.place.row, seed, LONGEST).position) ?? DRAW;
  }

  count(node, result) {
    node.visits += 1;
    if (result === DRAW) node.sums.forEach((_, player) => { node.sums[player] += this.half; });
    else node.sums[result] += 1;
  }

  /** What a draw counts: nothing to somebody who plays alone. */
  get half() {
    const { size } = new Set(this.source.game.players.map(({ side }) => side));
    return size === 1 ? 0 : 1 / size;
  }

  /** Whether a node's result follows from those of the moves from it. */
  prove(node) {
    if (node.proven !== null) return true;
    const { children, waiting, side } = node;
    if (children.some((child) => child.proven === side)) {
      node.proven = side;
    } else if (!waiting.length && children.length && children.every((child) => child.proven !== null)) {
      const results = new Set(children.map((child) => child.proven));
      // Of three players or more it is open which of two others the one to move lets win.
      if (results.has(DRAW)) node.proven = DRAW;
      else if (results.size === 1) [node.proven] = results;
    }
    return node.proven !== null;
  }
}
