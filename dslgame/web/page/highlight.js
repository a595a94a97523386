// Words of the language in a line of rules, each with a class for its colour.

const TOKEN = /(#.*)|("[^"]*"?)|(:=|\+=|-=|\.\.|!=|<=|>=|[<>=+\-*])|(\b\d+\b)|([A-Za-z_][A-Za-z_0-9]*)/g;

/** The parts of a line: [class, text], the class "" for plain text. `first` are the words that begin declarations, at the start of a line. */
export function parts(line, { first, words }) {
  const found = [];
  let end = 0;
  for (const match of line.matchAll(TOKEN)) {
    if (match.index > end) found.push(["", line.slice(end, match.index)]);
    found.push([kind(match, { first, words }), match[0]]);
    end = match.index + match[0].length;
  }
  if (end < line.length) found.push(["", line.slice(end)]);
  return found;
}

function kind(match, { first, words }) {
  const [, comment, string, operator, number, word] = match;
  if (comment !== undefined) return "comment";
  if (string !== undefined) return "string";
  if (operator !== undefined) return "operator";
  if (number !== undefined) return "number";
  if (match.index === 0 && first.has(word)) return "first";
  return words.has(word) || first.has(word) ? "word" : "name";
}
