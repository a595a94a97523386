// Moves choice by choice. A path is [rule, choice, ...]; see dslgame/web/choosing.py for what choices look like.
// An option is a next choice with the moves (and beginnings of moves) that it leads to.

/** The paths of a listing as entries {text, path}; a beginning of many moves has no text. */
export function entries({ moves, next }) {
  if (moves) return moves.flatMap(([text, paths]) => paths.map((path) => ({ text, path })));
  return next.map((path) => ({ text: null, path }));
}

/** The entries that go on from what is chosen. */
export function following(all, chosen) {
  return all.filter(({ path }) => chosen.every((choice, number) => path[number + 1] === choice));
}

/**
 * What can be done after some choices: `options`, a Map from each next choice to its entries, and `complete`, the moves
 * that are made by what is chosen, each once.
 */
export function situation(all, chosen) {
  const options = new Map();
  const complete = new Map();
  for (const entry of following(all, chosen)) {
    const next = entry.path[chosen.length + 1];
    if (next !== undefined) {
      if (!options.has(next)) options.set(next, []);
      options.get(next).push(entry);
    } else if (entry.text !== null) {
      complete.set(entry.text, entry);
    }
  }
  return { options, complete: [...complete.values()] };
}

/** The choices among some that a cell stands for: the cell itself, its row, its column. */
export function choicesAt(options, cell) {
  return [...options.keys()].filter((choice) => stands(choice, cell));
}

function stands(choice, cell) {
  const number = Number(choice.slice(1).split(":")[0]);
  if (choice[0] === "c") return number === cell.number;
  if (choice[0] === "r") return number === cell.row;
  return choice[0] === "k" && number === cell.column;
}

/** Whether a choice is one that is made on the board. */
export const isOnBoard = (choice) => "crk".includes(choice[0]);

/** A choice in words. */
export function words(choice, game, cells) {
  const label = choice.slice(choice.indexOf(":") + 1);
  switch (choice[0]) {
    case "c": return cells.get(Number(choice.slice(1)))?.name ?? choice;
    case "p": return Number(choice.slice(1)) ? game.pieces[Number(choice.slice(1)) - 1].name : "empty";
    case "r": return `row ${label}`;
    case "k": return `column ${label}`;
    default: return label;
  }
}

/** What to ask for, given the next choices. */
export function wanted(options) {
  const kinds = new Set([...options.keys()].map((choice) => choice[0]));
  const names = { c: "a cell", r: "a row", k: "a column", p: "a piece", v: "one of these" };
  return [...kinds].map((kind) => names[kind]).join(" or ");
}
