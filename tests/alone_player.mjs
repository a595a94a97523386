// Plays games with the modules of files that play by themselves, for tests/app/test_web_alone.py. Each line of the input is a
// request as JSON, {"folder", "plies": numbers that choose moves, "search": steps of a search that moves instead,
// 0 for none}, and is answered in a line: what is seen of each position.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const load = (folder, name) => import(pathToFileURL(join(folder, name)).href);

async function answered({ folder, plies, search }) {
  const { game: kernel } = await load(folder, "game.js");
  const { Played, GOES_ON } = await load(folder, "sources.js");
  const { Search } = await load(folder, "searching.js");
  const source = new Played(kernel, JSON.parse(readFileSync(join(folder, "data.json"), "utf8")));
  const line = [source.start()];
  const found = [];
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (const choice of [...plies, null]) {
    const outcome = source.outcome(line);
    const moves = outcome === GOES_ON ? source.legal(line) : [];
    const view = source.view(line.at(-1));
    found.push({
      moves: moves.map(({ text, paths }) => [text, paths]), outcome: outcome === GOES_ON ? null : outcome,
      mover: outcome === GOES_ON ? source.mover(line.at(-1)) : null, cells: view.cells, picture: view.picture,
    });
    if (outcome !== GOES_ON || choice === null) break;
    if (search) {
      const engine = new Search(source, line, random);
      const best = engine.steps(search);
      found.at(-1).best = best.text;
      found.at(-1).proven = engine.root.proven;
      line.push(best.node());
    } else {
      line.push(moves[choice % moves.length].node());
    }
  }
  return found;
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = { answer: await answered(JSON.parse(line)) };
  } catch (problem) {
    answer = { problem: String(problem.stack) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
