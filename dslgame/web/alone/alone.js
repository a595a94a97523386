// A game in one file: its positions are in the page's data, each with its moves, its picture and its worth, or are made by
// its rules, which are in the page as `kernel` (null otherwise).

import { Board } from "./board.js";
import { choicesAt, entries, isOnBoard, situation, wanted, words } from "./choosing.js";
import { $, h, picture } from "./dom.js";
import { Search } from "./searching.js";
import { DRAW, GOES_ON, Listed, Played } from "./sources.js";
import { best, worth } from "./values.js";

const THINKING = 1000;    // milliseconds of a search
let game = null;
let source = null;
let start = null;    // the position that the game starts from
let line = [];    // the game so far and what was undone: {node, text} after each move
let search = null;
let ply = 0;
let chosen = [];
let doubtful = null;
let all = [];
let seats = [];
let seen = 0;  // the ply that was shown last
const board = new Board($("board"), { clicked: (cell) => click(cell), cancelled: () => choose([]) });

async function begin() {
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const bytes = Uint8Array.from(atob($("data").textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  game = JSON.parse(await new Response(stream).text());
  source = kernel ? new Played(kernel, game) : new Listed(game);
  start = source.start();
  $("given").textContent = Object.entries(game.params).map(([name, value]) => `${name} = ${value}`).join(", ");
  $("text").textContent = game.rules;
  $("switch").hidden = !game.valued;
  seats = game.players.map(() => "person");
  sides();
  for (const [id, to] of [["first", () => 0], ["undo", back], ["redo", () => ply + 1], ["last", () => line.length]]) {
    $(id).addEventListener("click", () => show(Math.max(0, Math.min(to(), line.length))));
  }
  $("new").addEventListener("click", () => { line = []; show(0); });
  $("values").addEventListener("change", () => show(ply));
  document.querySelector("main").classList.add("reading");
  board.wire({ smaller: $("smaller"), whole: $("whole"), larger: $("larger"), turn: $("turn") });
  show(0);
}

/** The ply before, in which a person was to move. */
function back() {
  let to = ply - 1;
  while (to > 0 && seats.includes("person") && seats[source.mover(node(to))] !== "person") to -= 1;
  return to;
}

/** The position at a ply. */
const node = (at) => (at ? line[at - 1].node : start);

/** The positions up to a ply. */
const nodes = (at) => [start, ...line.slice(0, at).map((step) => step.node)];

/** What a move is worth, seen by who makes it. */
function valueOf(after, mover) {
  const found = game.valued ? source.value(after()) : null;
  return found && worth({ winner: found.winner, plies: found.plies === null ? null : found.plies + 1 }, game.players[mover].side, game.players.length === 1);
}

function show(at) {
  ply = at;
  if (search) search.cancelled = true;
  search = null;
  const mover = source.mover(node(ply));
  board.show(source.view(node(ply)), game, Math.abs(ply - seen) === 1);
  seen = ply;
  const ended = source.outcome(nodes(ply));
  all = [];
  if (ended === GOES_ON) {
    for (const { text, paths: ways, node: after } of source.legal(nodes(ply))) {
      all.push(...entries({ moves: [[text, ways]] }).map((entry) => ({ ...entry, node: after })));
    }
  }
  const name = ended === GOES_ON ? `${game.players[mover].name} to move`
    : ended === DRAW ? game.nobody : `${game.players[ended].winner} won.`;
  $("status").textContent = name;
  $("status").dataset.over = String(ended !== GOES_ON);
  document.querySelectorAll(".side").forEach((side, player) => side.classList.toggle("turn", ended === GOES_ON && player === mover));
  $("ply").textContent = `${ply} / ${line.length}`;
  $("undo").disabled = $("first").disabled = !ply;
  $("redo").disabled = $("last").disabled = ply === line.length;
  $("moves").replaceChildren(...line.map((step, index) => h("li", {}, h("button", {
    type: "button", class: "link", "aria-current": index + 1 === ply ? "step" : null, onclick: () => show(index + 1),
  }, step.text))));
  choose([]);
  $("valued").textContent = "";
  if (ended === GOES_ON && $("values").checked) {
    const top = best(all.map((entry) => valueOf(entry.node, mover)));
    if (top) $("valued").textContent = `${game.players[mover].name} ${top.kind === "draw" ? "can draw" : top.words}.`;
  }
  if (ended === GOES_ON && seats[mover] !== "person" && ply === line.length) setTimeout(() => answer(at, mover).catch(tell), 350);
}

/** Let the solution, the search or a random choice move. */
async function answer(at, mover) {
  const here = node(at);
  if (at !== ply || at !== line.length || seats[mover] === "person" || !all.length || search) return;
  if (seats[mover] === "search") {
    search = new Search(source, nodes(at));
    const found = await search.best(THINKING);
    if (!found || here !== node(ply) || at !== line.length) return;
    search = null;
    play(found);
    return;
  }
  const rank = (entry) => valueOf(entry.node, mover)?.rank ?? 0;
  const top = seats[mover] === "solver" ? Math.max(...all.map(rank)) : null;
  const good = top === null ? all : all.filter((entry) => rank(entry) === top);
  play(good[Math.floor(Math.random() * good.length)]);
}

function play(entry) {
  const mover = source.mover(node(ply));
  line = [...line.slice(0, ply), { node: entry.node(), text: entry.text }];
  show(ply + 1);
  $("announce").textContent = `${game.players[mover].name} played ${entry.text}. ${$("status").textContent}`;
}

function choose(path) {
  chosen = path;
  doubtful = null;
  offer();
}

function offer() {
  const mover = source.mover(node(ply));
  const value = (entry) => ($("values").checked ? valueOf(entry.node, mover) : null);
  const { options, complete } = situation(all, chosen);
  const targets = new Map();
  const taken = new Set(chosen.filter((choice) => choice[0] === "c").map((choice) => Number(choice.slice(1))));
  for (const cell of board.cells.values()) {
    const choices = choicesAt(options, cell);
    if (choices.length) targets.set(cell.number, best(choices.flatMap((choice) => options.get(choice).map(value))));
  }
  board.offer(targets, taken);
  const chips = [];
  const chip = (label, worths, action, extra = null) => {
    const worth_ = best(worths);
    chips.push(h("button", { type: "button", class: `chip ${worth_?.kind ?? ""}`, onclick: action }, extra, label,
      worth_ ? h("span", { class: "badge", title: worth_.words }, worth_.label) : null));
  };
  const named = (entry) => (entry.path[0] < 0 ? entry.text : `${game.moves[entry.path[0]].name} (${entry.text})`);
  const option = (choice) => {
    const piece = choice[0] === "p" && choice !== "p0" ? game.pieces[Number(choice.slice(1)) - 1] : null;
    chip(words(choice, game, board.cells), options.get(choice).map(value), () => take(choice),
      piece ? picture(piece.picture, { class: "piece" }) : null);
  };
  if (doubtful) {
    for (const choice of doubtful) {
      const list = options.get(choice);
      if (list.every((entry) => entry.path.length === chosen.length + 2)) list.forEach((entry) => chip(named(entry), [value(entry)], () => play(entry)));
      else option(choice);
    }
  } else {
    complete.forEach((entry) => chip(chosen.length && options.size ? `stop here (${entry.text})` : named(entry), [value(entry)], () => play(entry)));
    [...options.keys()].filter((choice) => !isOnBoard(choice)).forEach(option);
  }
  if (chosen.length || doubtful) chips.push(h("button", { type: "button", class: "chip cancel", onclick: () => choose([]) }, "Cancel"));
  $("chips").replaceChildren(...chips);
  const made = chosen.map((choice) => words(choice, game, board.cells)).join(", ");
  const next = options.size ? `choose ${wanted(options)}` : "choose one of these";
  $("prompt").textContent = !all.length ? "" : doubtful ? "Which of these?"
    : made ? `${made}: ${next}` : `${next[0].toUpperCase()}${next.slice(1)}`;
}

function click(cell) {
  const { options } = situation(all, chosen);
  const choices = choicesAt(options, cell);
  if (choices.length === 1) return take(choices[0]);
  if (choices.length > 1) {
    doubtful = choices;
    return offer();
  }
  return choose([]);
}

function take(choice) {
  const path = [...chosen, choice];
  const { options, complete } = situation(all, path);
  if (!options.size && complete.length === 1) play(complete[0]);
  else choose(path);
}

function sides() {
  const kinds = [["person", "a person"], ...(game.valued ? [["solver", "the solution"]] : []),
    ...(kernel ? [["search", "computer, 1 s"]] : []), ["random", "random moves"]];
  $("sides").replaceChildren(...game.players.map((player, seat) => {
    const swatch = h("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = player.colour;
    const select = h("select", { id: `seat${seat}`, onchange: (event) => { seats[seat] = event.target.value; show(ply); } },
      ...kinds.map(([key, label]) => h("option", { value: key }, label)));
    return h("div", { class: "side" }, swatch, h("label", { for: `seat${seat}` }, player.name), select);
  }));
}

function tell(problem) {
  $("problem").textContent = problem.message;
  $("problem").hidden = false;
}

begin().catch(tell);
