// Plays games that dslgame compiled to JavaScript, for tests/kernel/test_javascript.py. Each line of the input is a request as
// JSON, and is answered in a line:
//   {"module", "games": lists of numbers that choose moves, "seeds": of random games, "limit", "count": of a row's words}
//   {"module", "calls": [[function, its arguments], ...]}: what each gives, and what it leaves in r1
// A BigInt is a text with an n, "5n", in requests and answers.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** The first words of a row, as text in base 16. */
function words(position, count) {
  const parts = new BigUint64Array(position.slice(0, 2 * count).buffer);
  return Array.from(parts, (word) => word.toString(16));
}

function seen(game, position, count) {
  const moves = game.legal(position);
  return {
    moves: moves.map((move) => [move.rule, ...move.values]),
    texts: moves.map((move) => (move.rule >= 0 && game.rules[move.rule].notation === null ? null : game.text(move))),
    row: words(position, count),
    outcome: game.outcome(position),
    toMove: game.toMove(position),
    board: game.board(position),
    piles: game.piles(position),
    variables: game.variables.map(({ name }) => game.values(position, name)),
  };
}

function played(game, choices, count) {
  const found = [];
  try {
    play(game, choices, count, found);
  } catch (problem) {
    if (problem.name !== "RuleError") throw problem;
    found.push({ failed: problem.code });
  }
  return found;
}

function play(game, choices, count, found) {
  let position = game.start();
  found.push(seen(game, position, count));
  for (const choice of choices) {
    const moves = game.legal(position);
    if (moves.length === 0) break;
    const before = position.slice();
    const after = game.play(position, moves[choice % moves.length]);
    if (position.some((half, place) => half !== before[place])) throw new Error("a position was changed");
    position = after;
    found.push(seen(game, position, count));
  }
}

function answered({ games, seeds, limit, count, calls }, module) {
  if (calls !== undefined) {
    return calls.map(([name, values]) => {
      const first = module[name](...values.map((value) => (/^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value)));
      return [typeof first === "object" ? Array.from(first) : first, module.r1];
    });
  }
  const { game } = module;
  const randomly = seeds.map((seed) => {
    try {
      const { position, plies } = game.playOut(game.start(), BigInt(seed), limit);
      return { row: words(position, count), plies };
    } catch (problem) {
      if (problem.name !== "RuleError") throw problem;
      return { failed: problem.code };
    }
  });
  return { games: games.map((choices) => played(game, choices, count)), randomly };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = { answer: answered(request, await import(pathToFileURL(request.module).href)) };
  } catch (problem) {
    answer = { problem: String(problem.stack) };
  }
  process.stdout.write(`${JSON.stringify(answer, (_, value) => (typeof value === "bigint" ? `${value}n` : value))}\n`);
}
