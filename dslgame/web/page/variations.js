// The moves of a game with variations and comments: a tree whose first children are the main line.
// A place in it is a list of moves from the start.

const node = (move) => ({ move, comment: "", children: [] });
const written = (text) => encodeURIComponent(text).replace(/[!()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

export class Variations {
  constructor() {
    this.root = node(null);
  }

  /** The tree of one line. */
  static of(moves) {
    const found = new Variations();
    found.add(moves);
    return found;
  }

  /** The node at a place; null where there is none. */
  at(moves) {
    let here = this.root;
    for (const move of moves) {
      here = here.children.find((child) => child.move === move);
      if (!here) return null;
    }
    return here;
  }

  /** Add a place, beside what is there. */
  add(moves) {
    let here = this.root;
    for (const move of moves) {
      let next = here.children.find((child) => child.move === move);
      if (!next) {
        next = node(move);
        here.children.push(next);
      }
      here = next;
    }
  }

  /** The line through a place: its moves, and the first of each node after it. */
  line(moves) {
    const found = [...moves];
    for (let here = this.at(moves); here?.children.length;) {
      [here] = here.children;
      found.push(here.move);
    }
    return found;
  }

  comment(moves, text) {
    this.at(moves).comment = text;
  }

  /** Whether a place is on the main line. */
  main(moves) {
    return this.line([]).slice(0, moves.length).join("\n") === moves.join("\n");
  }

  /** Put the variation that a place is in before the one that it departs from. */
  promote(moves) {
    for (let length = moves.length; length > 0; length -= 1) {
      const { children } = this.at(moves.slice(0, length - 1));
      const at = children.findIndex((child) => child.move === moves[length - 1]);
      if (at > 0) {
        children.unshift(...children.splice(at, 1));
        return;
      }
    }
  }

  /** Delete a place and all that follows it. */
  remove(moves) {
    const before = this.at(moves.slice(0, -1));
    before.children = before.children.filter((child) => child.move !== moves.at(-1));
  }

  /** Whether there is more than one line of moves. */
  get branched() {
    const one = ({ comment, children }) => !comment && children.length < 2 && children.every(one);
    return !one(this.root);
  }

  /** The tree as a text: moves with `;` between them, variations in brackets after what they vary, comments after `!`. */
  text() {
    const out = [];
    const said = (here) => { if (here.comment) out.push(`!${written(here.comment)}`); };
    const put = (here) => { out.push(written(here.move)); said(here); };
    const follow = (here) => {
      while (here.children.length) {
        const [first, ...others] = here.children;
        put(first);
        for (const other of others) {
          out.push("(");
          put(other);
          follow(other);
          out.push(")");
        }
        here = first;
      }
    };
    said(this.root);
    follow(this.root);
    return out.join(";");
  }

  /** The tree that such a text means. */
  static parsed(text) {
    const found = new Variations();
    const outer = [];
    let before = null;
    let here = found.root;
    for (const word of text.split(";").filter(Boolean)) {
      if (word === "(") {
        if (!before) throw new Error("A variation has nothing to vary.");
        outer.push([before, here]);
        here = before;
      } else if (word === ")") {
        if (!outer.length) throw new Error("A variation ends that has not begun.");
        [before, here] = outer.pop();
      } else if (word.startsWith("!")) {
        here.comment = decodeURIComponent(word.slice(1));
      } else {
        const next = node(decodeURIComponent(word));
        here.children.push(next);
        [before, here] = [here, next];
      }
    }
    return found;
  }

  /** A place as the numbers of children, and back. */
  path(moves) {
    return moves.map((move, ply) => this.at(moves.slice(0, ply)).children.findIndex((child) => child.move === move)).join(".");
  }

  place(path) {
    const moves = [];
    for (const number of path.split(".").filter(Boolean)) {
      const next = this.at(moves)?.children[Number(number)];
      if (!next) break;
      moves.push(next.move);
    }
    return moves;
  }
}
