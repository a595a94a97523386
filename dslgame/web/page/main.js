// The page: what is played, by whom, and where in the game one is. The rest of the modules draw and ask.

import { ask, games, parts, ready, Refused, saved } from "./api.js";
import { Board } from "./board.js";
import { browse, shelves } from "./browse.js";
import { choicesAt, entries, isOnBoard, situation, wanted, words } from "./choosing.js";
import { $, copy, download, h, picture } from "./dom.js";
import { Editor } from "./editor.js";
import { file, fragment, opened, parsed } from "./share.js";
import { link, linked, share as shareGame, Together } from "./together.js";
import { draw, grow, look } from "./tree.js";
import { Variations } from "./variations.js";
import { solve as solveVariants } from "./variants.js";
import { best, share, warm, worth } from "./worth.js";

const MOST_SHOWN = 400;
const STEP = 420;     // ms of a forced step in slow motion, and the most that all of them take then
const LONGEST_SHOW = 3600;
const AT_ONCE = 600;  // ms of all forced steps of a move otherwise

/**
 * What is played: text is null as long as the rules are those of the file; params are those that were set. `tree` has
 * all moves with their variations, `moves` are the line that is shown, and `ply` is how many of them are made.
 */
const state = { game: null, text: null, params: {}, start: null, moves: [], ply: 0, tree: new Variations() };
const ANEW = { start: null, moves: [], ply: 0, tree: null };
let info = null;       // what the server says of the game
let original = "";     // the file's rules
let position = null;   // what it says of the position
let all = [];          // the legal moves as entries
let chosen = [];       // the choices of the move that is being made
let doubtful = null;   // choices among which a click did not decide
let judged = null;     // what the moves are worth
let preferred = null;  // which is best, by the same
let known = new Map(); // positions by their moves
let kinds = [];        // who can play a side
let seats = [];        // who plays each side
let clock = 0;         // grows with every change, so that late answers are known as such
let thinking = null;   // the question that takes long, to be given up
let varying = null;    // the family that is being solved, to be given up
let drawing = null;    // the picture that is being drawn, to be given up
let quiet = false;     // whether a move is being shown
let first = null;      // the game that is shown where the address names none
let together = null;   // the shared game that is shown, if it is one
let words_ = { first: new Set(), words: new Set() };

const board = new Board($("board"), { clicked: (cell) => click(cell), cancelled: () => choose([]) });
let editor = null;

const fields = (moves = place()) => ({
  ...(state.text === null ? { game: state.game } : { text: state.text }),
  params: state.params, start: state.start, moves, ...(together ? { viewer: together.seat } : {}),
});

/** The moves that are made at a ply of the line that is shown. */
const place = (ply = state.ply) => state.moves.slice(0, ply);
const key = (ply) => place(ply).join("\n");

/** Ask about the game as it stands: of a shared game by its id and key, of any other by its moves. */
function askHere(what, more = {}) {
  if (!together) return ask(what, { ...fields(), ...more });
  return together.ask(`/${what}`, what === "choices" ? more : { ply: state.ply, ...more });
}

/** Whether a move can be made here: not in the midst of a shared game, nor by one who only watches. */
const mayMove = () => !position.over && !quiet && !(together && state.ply < state.moves.length);

// ---- problems and announcements

function trouble(problem) {
  if (problem?.name === "AbortError") return;  // something else is asked already, and will settle
  settled(true);
  $("problem").textContent = problem.message;
  $("problem").hidden = false;
}

function fine() {
  $("problem").hidden = true;
}

function say(text) {
  $("announce").textContent = text;
}

// ---- games

/** Show a game from some state on. */
async function open(next, { keepRules = false, joining = null } = {}) {
  stop();
  if (together !== joining) together?.end();
  together = joining;
  if (!keepRules) forget();
  settled(false);
  const now = ++clock;
  const asked = { ...(next.text === null ? { game: next.game } : { text: next.text }), params: next.params };
  let found;
  try {
    found = await ask("game", asked);
  } catch (problem) {
    return trouble(problem);
  }
  if (now !== clock) return;
  fine();
  if (next.text === null) original = found.text;
  if (!keepRules) editor.set(found.text);
  editor.find(found.diagnostics);
  diagnosed(found.diagnostics);
  showParams(found.params);
  showAbout(keepRules ? editor.text : found.text, found.params);
  Object.assign(state, next, { tree: next.tree ?? Variations.of(next.moves) });
  changedRules(next.text !== null);
  $("game").value = state.game ?? "";
  if (found.game === null && refusedParams(found, next.params)) {
    await open({ ...next, params: {}, ...ANEW }, { keepRules });
    const refused = found.diagnostics.filter(({ severity }) => severity === "error").map(({ phrase }) => phrase);
    return trouble(new Error(`${refused.join("; ")}. The game is shown with its usual params.`));
  }
  if (found.game === null) {
    trouble(new Error("These rules cannot be played yet: see what is marked in them."));
    return;
  }
  const players = (game) => game?.players.map((player) => player.name).join();
  if (players(found.game) !== players(info)) seats = found.game.players.map(() => "person");
  if (!found.game.patterns) seats = seats.map((seat) => (seat === "patterns" ? "person" : seat));
  info = found.game;
  document.title = `${info.title} · dslgame`;
  showSides();
  known = new Map();
  await show({ reset: true });
}

/** Whether nothing but the given params keeps a game from being played. */
function refusedParams(found, params) {
  const errors = found.diagnostics.filter(({ severity }) => severity === "error");
  return Object.keys(params).length > 0 && errors.length > 0 && errors.every(({ code }) => code === "G501" || code === "G502");
}

/** Show the position at the state's ply. Moves that the rules do not know (any more) are dropped. */
async function show({ reset = false } = {}) {
  stop();
  settled(false);
  const now = ++clock;
  let found = known.get(key());
  if (!found) {
    try {
      found = await askHere("position");
    } catch (problem) {
      if (now !== clock) return;
      if (reset && problem instanceof Refused && ["move", "position", "rule"].includes(problem.kind)) {
        const legal = problem.kind === "position" ? 0 : problem.more.legal ?? 0;
        const start = problem.kind === "position" ? null : state.start;
        trouble(new Error(`${problem.message} The game goes back to where it still is as the rules say.`));
        Object.assign(state, { start, moves: place(legal), ply: legal, tree: Variations.of(place(legal)) });
        if (legal || problem.kind === "position" || state.ply) await show({ reset: legal > 0 });
        else await show();
        return;
      }
      trouble(problem);
      return;
    }
  }
  if (now !== clock) return;
  at(found);
}

/** Have the place in the browser's history, so that Back leads to the one before; but not where a player moves by itself. */
async function visit() {
  const now = clock;
  const first_ = history.state === null;
  const hash = `#${await address()}`;
  if (now !== clock) return;
  const passing = !together && !position.over && machine(position) !== null && state.ply === state.moves.length;
  const same = hash === location.hash;
  if (same || first_ || history.state?.passing || together) history.replaceState({ passing }, "", hash);
  else history.pushState({ passing }, "", hash);
}

/** How good the position is for the first of two players, as a bar in the colours of both. */
function showBar() {
  const worths = judged && info.players.length === 2 ? [...judged.values()].map((item) => worth(item, position.to_move)).filter(Boolean) : [];
  const top = worths.length ? worths.reduce((one, other) => (other.rank > one.rank ? other : one)) : null;
  $("bar").hidden = top === null;
  if (!top) return;
  const first = position.to_move === 0 ? share(top) : 1 - share(top);
  const [below, above] = info.players;
  const percent = Math.round(first * 100);
  $("bar").style.background = `linear-gradient(to top, ${below.colour} ${percent}%, ${above.colour} ${percent}%)`;
  $("bar").title = `${info.players[position.to_move].name} ${top.words}`;
  $("bar").setAttribute("aria-label", `${below.name} ${percent} %, ${above.name} ${100 - percent} %`);
}

/** Who moves in a position without being asked: chance, or a kind of player; null for a person. */
function machine(found) {
  if (found.nature) return "nature";
  return seats[found.to_move] === "person" ? null : seats[found.to_move];
}

/** What the one is called who makes the move in a position. */
const moverOf = (found) => (found.nature ? "Nature" : info.players[found.to_move].name);

/** Be at a position that the server described. */
function at(found) {
  if (together && state.ply === state.moves.length) alone(found.played);
  known.set(key(), found);
  position = found;
  judged = preferred = null;
  $("lines").replaceChildren();
  all = entries(found);
  board.show(found, info);
  showBar();
  choose([]);
  showStatus();
  showRecord();
  showShare();
  showSteps();
  $("go").disabled = found.over;
  $("valued").textContent = "";
  if (!$("tree").hidden) showTree();
  showTogether();
  visit();
  if (found.over) {
    say(outcome());
  } else if (together) {
    if ($("values").checked) value();
  } else if (machine(found) !== null && state.ply === state.moves.length) {
    move_for(machine(found));
  } else if ($("values").checked) {
    value();
  }
}

/** How far the game is, and whether there are moves before and after. */
function showSteps() {
  $("undo").disabled = $("first").disabled = state.ply === 0;
  $("redo").disabled = $("last").disabled = state.ply === state.moves.length;
  $("ply").textContent = `${state.ply} / ${state.moves.length}`;
}

function outcome() {
  if (position.outcome === null) return "";
  return position.outcome === "draw" ? "The game is a draw." : `${position.outcome} won.`;
}

function showStatus() {
  const name = info.players[position.to_move].name;
  const mine = together?.seat === position.to_move ? " (you)" : "";
  $("status").textContent = position.over ? outcome() : `${name}${mine} to move`;
  $("status").dataset.over = String(position.over);
  document.querySelectorAll(".side").forEach((side, number) =>
    side.classList.toggle("turn", !position.over && number === position.to_move));
}

// ---- moving

/** Set the choices made so far, and show what can be chosen next. */
function choose(path, focusChips = false) {
  chosen = path;
  doubtful = null;
  offer(focusChips);
  settled(true);
}

let idle = false;

/** Note whether the page shows where the game is by the rules as they are, and waits for a person; for those who watch. */
function settled(yes) {
  idle = yes;
  document.body.dataset.settled = String(idle && waiting === null);
}

function offer(focusChips = false) {
  const { options, complete } = situation(all, chosen);
  const targets = new Map();
  const mine = mayMove();
  for (const cell of board.cells.values()) {
    const choices = mine ? choicesAt(options, cell) : [];
    if (!choices.length) continue;
    const there = choices.flatMap((choice) => options.get(choice));
    const value_ = best(there.map(valueOf));
    targets.set(cell.number, value_ && { ...value_, best: there.some(({ text }) => text !== null && text === preferred) });
  }
  warm(targets);
  const taken = new Set(chosen.filter((choice) => choice[0] === "c").map((choice) => Number(choice.slice(1))));
  for (const choice of chosen.filter((item) => "rk".includes(item[0]))) {
    for (const cell of board.cells.values()) {
      if (choicesAt(new Map([[choice, []]]), cell).length) taken.add(cell.number);
    }
  }
  board.offer(targets, taken);
  board.walls(mine && !chosen.length ? position.walls : [], play);
  showChips(options, complete, mine);
  if (!mine) $("prompt").textContent = "";
  else if (doubtful) $("prompt").textContent = "Which of these?";
  else if (together && !all.length) {
    $("prompt").textContent = together.seat < 0 ? "You watch this game." : `Waiting for ${info.players[position.to_move].name} …`;
  } else {
    const made = chosen.map((choice) => words(choice, info, board.cells)).join(", ");
    const next = options.size ? `choose ${wanted(options)}` : "choose one of these";
    $("prompt").textContent = made ? `${made}: ${next}` : `${next[0].toUpperCase()}${next.slice(1)}`;
  }
  if (focusChips) $("chips").querySelector("button")?.focus();
}

function valueOf(entry) {
  return entry.text === null || !judged ? null : worth(judged.get(entry.text), position.to_move);
}

function showChips(options, complete, mine) {
  const chips = [];
  const chip = (label, worths, action, extra = null) => {
    const value = best(worths);
    chips.push(h("button", { type: "button", class: `chip ${value?.kind ?? ""}`, onclick: action }, extra, label,
      value ? h("span", { class: "badge", title: value.words }, value.label) : null));
  };
  const name = (entry) => (entry.path[0] < 0 ? entry.text : `${info.moves[entry.path[0]].name} (${entry.text})`);
  const option = (choice) => {
    const list = options.get(choice);
    const rules = new Set(list.map(({ path }) => path[0]));
    const piece = choice[0] === "p" && choice !== "p0" ? info.pieces[Number(choice.slice(1)) - 1] : null;
    const label = words(choice, info, board.cells) + (rules.size > 1 || !isOnBoard(choice) ? "" : `: ${info.moves[list[0].path[0]].name}`);
    chip(label, list.map(valueOf), () => take(choice), piece ? picture(piece.picture, { class: "piece" }) : null);
  };
  if (mine && doubtful) {
    for (const choice of doubtful) {
      const list = options.get(choice) ?? [];
      if (list.every((entry) => entry.text !== null && entry.path.length === chosen.length + 2)) {
        list.forEach((entry) => chip(name(entry), [valueOf(entry)], () => play(entry.path)));
      } else {
        option(choice);
      }
    }
  } else if (mine) {
    for (const entry of complete) {
      const label = chosen.length && options.size ? `stop here (${entry.text})` : name(entry);
      chip(label, [valueOf(entry)], () => play(entry.path));
    }
    [...options.keys()].filter((choice) => !isOnBoard(choice)).slice(0, MOST_SHOWN).forEach(option);
  }
  if (mine && (chosen.length || doubtful)) {
    chips.push(h("button", { type: "button", class: "chip cancel", onclick: () => { choose([]); board.focus(); } }, "Cancel"));
  }
  $("chips").replaceChildren(...chips);
}

/** A cell was clicked. */
function click(cell) {
  if (!position || !mayMove()) return;
  const { options } = situation(all, chosen);
  const choices = choicesAt(options, cell);
  if (choices.length === 1) return void take(choices[0]);
  if (choices.length > 1) {
    doubtful = choices;
    return offer(true);
  }
  const back = chosen.indexOf(`c${cell.number}`);
  if (back >= 0) return choose(chosen.slice(0, back));
  if (chosen.length) {  // another first cell
    choose([]);
    const again = choicesAt(situation(all, []).options, cell);
    if (again.length === 1) take(again[0]);
  }
}

/** Make one more choice; play the move where it is complete. */
async function take(choice) {
  settled(false);
  const path = [...chosen, choice];
  const beginnings = all.filter(({ text, path: known_ }) => text === null && known_.length === path.length + 1
    && path.every((item, number) => known_[number + 1] === item));
  if (beginnings.length) {
    const now = clock;
    let lists;
    try {
      lists = await Promise.all(beginnings.map((entry) => askHere("choices", { chosen: entry.path })));
    } catch (problem) {
      return trouble(problem);
    }
    if (now !== clock) return undefined;
    all = [...all.filter((entry) => !beginnings.includes(entry)), ...lists.flatMap(entries)];
  }
  const { options, complete } = situation(all, path);
  if (!options.size && complete.length === 1) return play(complete[0].path);
  const onBoard = [...options.keys()].some(isOnBoard);
  return choose(path, !onBoard);
}

/** Play a move, given by its path or its text. */
async function play(move) {
  stop();
  settled(false);
  const now = ++clock;
  let found;
  sending = true;
  try {
    found = await askHere("move", { move });
  } catch (problem) {
    trouble(problem);
    choose([]);
    sending = false;
    follow();
    return false;
  }
  sending = false;
  if (now !== clock) return false;
  fine();
  const mover = moverOf(position);
  if (state.moves[state.ply] !== found.move) {
    const made = [...place(), found.move];
    state.tree.add(made);
    state.moves = state.tree.line(made);
  }
  state.ply += 1;
  if (found.frames.length) {
    await animate(found.frames, now);
    if (now !== clock) return false;
  }
  at(found.after);
  follow();
  say(`${mover} played ${found.move}. ${position.over ? outcome() : `${moverOf(position)} to move.`}`);
  return true;
}

/** Show the steps of a move, with the rules that make them. */
async function animate(frames, now) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  quiet = true;
  const pause = $("slow").checked ? Math.max(40, Math.min(STEP, LONGEST_SHOW / frames.length)) : AT_ONCE / frames.length;
  try {
    for (const frame of frames) {
      if (now !== clock) return;
      board.frame(frame.picture);
      $("prompt").textContent = `${frame.rule} (line ${frame.line})`;
      $("chips").replaceChildren();
      if (frame.line) editor.mark(frame.line);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, pause);
        $("board").onclick = () => { clearTimeout(timer); frames.length = 0; resolve(); };
      });
    }
  } finally {
    quiet = false;
    $("board").onclick = null;
    editor.mark();
  }
}

// ---- games with others

/** What stands after `#` in the page's address. */
const address = async () => (together ? together.fragment : fragment(state));

/** Show a shared game, from a seat if there is a key for one. */
async function join({ id, key }) {
  const joined = new Together(id, key, { news: () => { showTogether(); follow(); }, lost: lostServer });
  let found;
  settled(false);
  try {
    found = await joined.join();
  } catch (problem) {
    if (!position) await open({ ...first });
    return trouble(problem);
  }
  seats = [];
  info = null;
  const { game, text, params, start, moves } = found;
  await open({ game, text, params, start, moves: Array(moves).fill(""), ply: moves, tree: null }, { joining: joined });
  if (together === joined && position) joined.listen();
}

/** Have one line of moves and no variations. */
function alone(moves) {
  Object.assign(state, { moves, tree: Variations.of(moves) });
}

let following = false; // whether the moves of others are being shown
let sending = false;   // whether a move is on its way to the server

/** Show the moves that others have made; one move with all that it does. */
async function follow() {
  if (following || sending || !together || !position) return;
  following = true;
  try {
    while (together && together.moves > state.moves.length) {
      const shared = together;
      const atEnd = state.ply === state.moves.length;
      const one = atEnd && shared.moves === state.moves.length + 1;
      const answer = await shared.ask("/position", { last: one });
      if (together !== shared) return;
      const { frames, after } = one ? answer : { frames: [], after: answer };
      if (after.played.length <= state.moves.length) continue;
      alone(after.played);
      if (!atEnd) {
        showRecord();
        showSteps();
        continue;
      }
      const now = ++clock;
      state.ply = state.moves.length;
      known = new Map();
      fine();
      settled(false);
      await animate(frames, now);
      if (now !== clock) return;
      at(after);
      say(`${state.moves.at(-1)} was played. ${position.over ? outcome() : `${info.players[position.to_move].name} to move.`}`);
    }
  } catch (problem) {
    trouble(problem);
  } finally {
    following = false;
  }
}

function lostServer(lost) {
  $("lost").hidden = !lost;
  document.body.dataset.lost = String(lost);
}

/** Share the game from here on, and take a seat. */
async function shareHere() {
  const seat = Number($("myseat").value);
  try {
    const { id, keys } = await shareGame(fields());
    await join({ id, key: keys[seat] ?? null });
  } catch (problem) {
    trouble(problem);
  }
}

/** Who plays a shared game, and the links for the others. */
function showTogether() {
  const playing = together !== null && together.seat >= 0 && position !== null && !position.over;
  document.body.classList.toggle("together", together !== null);
  for (const id of ["go", "values"]) $(id).closest("label, button").hidden = playing;
  $("tab-tree").hidden = playing;
  if (playing && $("values").checked) $("values").click();
  if (playing && !$("tree").hidden) $("tab-record").click();
  const yours = playing && together.seat === position.to_move;
  document.title = `${yours ? "● Your move · " : ""}${info.title} · dslgame`;
  $("alone").hidden = together !== null;
  $("others").hidden = together === null;
  if (!together) {
    lostServer(false);
    $("myseat").replaceChildren(...info.players.map(({ name }, number) => h("option", { value: number }, name)),
      h("option", { value: info.players.length }, "nobody, only watch"));
    return;
  }
  document.querySelectorAll("#sides .there").forEach((there, number) => {
    there.textContent = number === together.seat ? "you" : together.present[number] ? "here" : "away";
    there.dataset.there = String(together.present[number] || number === together.seat);
  });
  const { keys, id, watching } = together;
  const entry = (label, key) => h("li", {}, h("span", {}, label), h("button", { type: "button", "data-link": link(id, key),
    onclick: (event) => copied(event.target, link(id, key)) }, "Copy the link"));
  $("links").replaceChildren(
    ...(keys ?? []).map((key, number) => (number === together.seat ? null : entry(`to play ${info.players[number].name}`, key))).filter(Boolean),
    entry("to watch", null));
  $("watching").textContent = watching ? `${watching} ${watching === 1 ? "person watches" : "people watch"}.` : "";
  $("onlyhere").hidden = !["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
}

// ---- thinking

function stop() {
  thinking?.abort();
  thinking = null;
  document.body.classList.remove("thinking");
}

async function think(what, more = {}) {
  stop();
  const now = clock;
  thinking = new AbortController();
  const mine = thinking;
  document.body.classList.add("thinking");
  try {
    const found = await ask(what, { ...fields(), ...more }, mine.signal);
    return now === clock ? found : null;
  } catch (problem) {
    if (now === clock) trouble(problem);
    return null;
  } finally {
    if (thinking === mine) stop();
  }
}

/** Let a kind of player move for the side whose turn it is. */
async function move_for(kind) {
  settled(false);
  $("status").textContent = position.nature ? "Chance decides …" : `${info.players[position.to_move].name} (${title(kind)}) thinks …`;
  const found = await think("choose", { player: kind });
  if (!found) {
    showStatus();
    settled(true);
    return;
  }
  await play(found.move);
  if (found.remark) $("valued").textContent = `${found.move}: ${found.remark}`;
}

/** Show what every move is worth, better and better, until all is known, something else is shown, or it is switched off. */
async function value() {
  if (position.over || position.count === 0) return;
  stop();
  const now = clock;
  thinking = new AbortController();
  const mine = thinking;
  document.body.classList.add("thinking");
  $("valued").textContent = "Working out what the moves are worth …";
  try {
    for await (const found of parts("analyse", fields(), mine.signal)) {
      if (now !== clock || !$("values").checked) return;
      judged = new Map(found.values.map((item) => [item.move, item]));
      preferred = found.best;
      offer();
      showBar();
      showRecord();
      $("valued").textContent = valued(found);
      $("valued").title = found.method ? `Method ${found.method.name} ${found.method.summary}.` : "";
      showLines(found.lines);
    }
  } catch (problem) {
    if (now === clock && problem.name !== "AbortError") {
      $("valued").textContent = "";
      trouble(problem);
    }
  } finally {
    if (thinking === mine) stop();
  }
}

const LONGEST = 12;  // plies of a line that are shown

/** Best play after the best moves; a click on a move goes there, as a variation. */
function showLines(lines) {
  const begun = place();
  $("lines").replaceChildren(...lines.filter((line) => line.length > 1).map((line) => {
    const first = judged && worth(judged.get(line[0]), position.to_move);
    const moves = line.slice(0, LONGEST).map((move, number) => h("button", { type: "button", class: "link", onclick: () => {
      const there = [...begun, ...line.slice(0, number + 1)];
      if (together) return void open({ ...state, moves: there, ply: there.length, tree: null });
      state.tree.add(there);
      return void goto_(there);
    } }, move));
    return h("li", {}, first ? h("span", { class: `badge ${first.kind}`, title: first.words }, first.label) : null, ...moves,
      line.length > LONGEST ? "…" : null);
  }));
}

/** What an analysis says, in words. */
function valued(found) {
  const top = best(found.values.map((item) => worth(item, found.to_move)));
  const count = found.positions.toLocaleString("en");
  const name = info.players[found.to_move].name;
  const method = found.method ? `, method ${found.method.name}` : "";
  if (top && (found.exact || top.kind === "win")) return `${name} to move: ${top.result} (${count} positions${method}).`;
  const looked = found.games ? `${found.games.toLocaleString("en")} random games` : `${count} positions`;
  return `Best: ${found.best} (${found.basis}; ${looked}).${found.more ? " Searching on …" : ` Not all is known: ${found.reason}.`}`;
}

const title = (kind) => kinds.find((item) => item.key === kind)?.title ?? kind;

// ---- what stands beside the board

function showSides() {
  $("sides").replaceChildren(...info.players.map((player, number) => {
    const swatch = h("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = player.colour;
    if (together) {
      return h("div", { class: "side" }, swatch, h("b", {}, player.name), h("span", { class: "there" }));
    }
    const select = h("select", { id: `seat${number}`, onchange: (event) => {
      seats[number] = event.target.value;
      at(position);
    } }, ...kinds.filter(({ key }) => key !== "patterns" || info.patterns)
      .map(({ key, title: label }) => h("option", { value: key, selected: seats[number] === key }, label)));
    return h("div", { class: "side" }, swatch, h("label", { for: `seat${number}` }, player.name), select);
  }));
}

/** What the file says of the game before its rules, and of its params. */
function showAbout(text, params) {
  const lines = text.split("\n");
  const head = lines.slice(0, lines.findIndex((line) => !/^\s*(#|$)/.test(line)));
  const said = head.map((line) => line.replace(/^\s*#\s?/, "").trim()).join("\n").split(/\n{2,}/);
  const marked = (part) => part.split("`").map((piece, number) => (number % 2 ? h("code", {}, piece) : piece));
  $("about").replaceChildren(
    ...said.filter(Boolean).map((part) => h("p", {}, ...marked(part))),
    ...(params.length ? [h("h2", {}, "Params"), h("ul", {}, ...params.map(({ name, value: now, low, high, help }) =>
      h("li", {}, h("b", {}, name), ` = ${now}${low === null ? "" : high === null ? `, ${low} or more` : `, ${low} to ${high}`}`, help ? h("span", { class: "note" }, ` ${help}`) : null)))] : []),
    ...(said.some(Boolean) ? [] : [h("p", { class: "note" }, "The file says nothing of how the game is played: see its rules.")]));
}

function showParams(params) {
  $("params").replaceChildren(...params.map(({ name, value: now, low, high, help }) => h("label", { class: "field", title: help },
    h("span", {}, name),
    h("input", { type: "number", name, value: now, min: low, max: high, required: true, size: 3,
      onchange: (event) => { if (event.target.reportValidity()) setParam(name, Number(event.target.value)); } }))));
}

function setParam(name, number) {
  open({ ...state, params: { ...state.params, [name]: number }, ...ANEW }, { keepRules: true });
}

function showRecord() {
  const here = key();
  const link = (moves) => h("button", { type: "button", class: "link", onclick: () => goto_(moves),
    "aria-current": moves.join("\n") === here ? "step" : null }, moves.at(-1));
  const said = ({ comment }) => (comment ? h("span", { class: "comment" }, comment) : null);
  const number = (moves) => h("span", { class: "number" }, `${moves.length}.`);
  const inline = (moves) => {  // a variation from its first move on, with those inside of it
    const found = [number(moves), link(moves), said(state.tree.at(moves))];
    for (let now = state.tree.at(moves); now.children.length; [now] = now.children) {
      const [next, ...others] = now.children.map(({ move }) => [...moves, move]);
      found.push(link(next), said(state.tree.at(next)), ...others.map((other) => h("span", { class: "vary" }, ...inline(other))));
      moves = next;
    }
    return found.filter(Boolean);
  };
  const items = [];
  const { root } = state.tree;
  if (root.comment) items.push(h("li", { class: "aside" }, said(root)));
  for (let now = root, moves = []; now.children.length; [now] = now.children) {
    const [next, ...others] = now.children.map(({ move }) => [...moves, move]);
    items.push(h("li", { value: next.length }, number(next), link(next)));
    const comment = said(state.tree.at(next));
    if (comment) items.push(h("li", { class: "aside" }, comment));
    items.push(...others.map((other) => h("li", { class: "aside vary" }, ...inline(other))));
    moves = next;
  }
  $("moves").replaceChildren(...items);
  const current = $("moves").querySelector("[aria-current]");
  if (current) $("moves").scrollTop = current.offsetTop - $("moves").offsetTop - $("moves").clientHeight / 2;
  if (document.activeElement !== $("comment")) $("comment").value = state.tree.at(place())?.comment ?? "";
  $("varying").hidden = together !== null;
  $("delete").disabled = state.ply === 0;
  $("promote").disabled = state.tree.main(place());
  const texts = [...new Set(all.filter(({ text }) => text !== null).map(({ text }) => text))];
  const shown = texts.slice(0, MOST_SHOWN);
  if (judged) shown.sort((one, other) => rank(other) - rank(one));
  $("legal").replaceChildren(...shown.map((text) => h("option", { value: text })));
  $("legalmoves").replaceChildren(...shown.map((text) => {
    const value_ = judged && worth(judged.get(text), position.to_move);
    return h("button", { type: "button", class: `chip ${value_?.kind ?? ""}`, onclick: () => play(text) }, text,
      value_ ? h("span", { class: "badge", title: value_.words }, value_.label) : null);
  }));
  if (position.count > shown.length) $("legalmoves").append(h("p", { class: "note" }, `${position.count} in all`));
}

const rank = (text) => worth(judged.get(text), position.to_move)?.rank ?? -0.1;

function jump(ply) {
  const wanted_ = Math.max(0, Math.min(ply, state.moves.length));
  if (wanted_ === state.ply && !quiet) return;
  state.ply = wanted_;
  fine();
  show();
}

/** Go to a place in the tree of moves. */
function goto_(moves) {
  Object.assign(state, { moves: state.tree.line(moves), ply: moves.length });
  fine();
  show();
}

/** Back to the last position in which a person was to move. */
function undo() {
  let ply = state.ply - 1;
  const persons = seats.includes("person");
  while (ply > 0 && persons && known.has(key(ply)) && machine(known.get(key(ply))) !== null) ply -= 1;
  jump(ply);
}

function showTree() {
  grow($("branches"), place(), {
    fields: fields(), players: info.players, values: $("values").checked,
    go: (moves) => {
      if (together) return void open({ ...state, moves, ply: moves.length, tree: null });
      state.tree.add(moves);
      return void goto_(moves);
    },
  });
}

function showShare() {
  $("position").value = position.position;
  $("movestext").value = state.moves.slice(0, state.ply).join(" ");
  $("text").textContent = position.board;
}

// ---- rules

function changedRules(changed) {
  $("edited").hidden = !changed;
  $("revert").disabled = !changed || state.game === null;
}

function diagnosed(found) {
  const counts = ["error", "warning", "note"].map((severity) => {
    const count = found.filter((item) => item.severity === severity).length;
    return count ? `${count} ${severity}${count === 1 ? "" : "s"}` : "";
  }).filter(Boolean);
  $("checked").textContent = counts.join(", ") || "No problems found.";
  $("diagnostics").replaceChildren(...found.map((item) => h("li", { class: item.severity },
    h("button", { type: "button", class: "link", onclick: () => editor.go(item.span.line, item.span.column) },
      `line ${item.span.line}`), ` ${item.severity} ${item.code}: ${item.phrase}`, item.help ? h("div", { class: "note" }, item.help) : null)));
}

let waiting = null;    // what will check the rules, until they are checked and played by
let checking = 0;

/** The rules were changed: check them, and play by them as soon as they can be played. */
function edited(text) {
  changedRules(text !== original);
  $("checked").textContent = "…";
  forget();
  waiting = setTimeout(() => check(text), 350);
  settled(idle);
}

async function check(text, { open: reopen = true } = {}) {
  const mine = ++checking;
  const next = text === original && state.game ? null : text;
  const asked = { ...(next === null ? { game: state.game } : { text }), params: state.params };
  try {
    let found = await ask("check", asked);
    if (mine !== checking) return;
    if (!found.playable && refusedParams(found, state.params)) {
      state.params = {};
      return void check(text);
    }
    editor.find(found.diagnostics);
    diagnosed(found.diagnostics);
    if (!found.playable || !reopen) return;
    await open({ ...state, text: next }, { keepRules: true });
    if (mine !== checking) return;
    checked();
    found = await ask("check", { ...asked, params: state.params, play: true });
    if (mine !== checking) return;
    editor.find(found.diagnostics);
    diagnosed(found.diagnostics);
  } catch (problem) {
    if (mine === checking) $("checked").textContent = problem.message;
  } finally {
    if (mine === checking) checked();
  }
}

/** No longer check what was edited: other rules are shown. */
function forget() {
  clearTimeout(waiting);
  waiting = null;
  checking += 1;
}

function checked() {
  waiting = null;
  settled(idle);
}

// ---- wiring

function tabs() {
  const list = [...document.querySelectorAll("[role=tab]")];
  const select = (tab) => {
    for (const other of list) {
      const on = other === tab;
      other.setAttribute("aria-selected", String(on));
      other.tabIndex = on ? 0 : -1;
      $(other.getAttribute("aria-controls")).hidden = !on;
    }
    if (tab.id === "tab-tree" && position) showTree();
  };
  list.forEach((tab, number) => {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = list[(number + step + list.length) % list.length];
      next.focus();
      select(next);
    });
  });
}

function theme() {
  const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
  const set = (name) => {
    document.documentElement.dataset.theme = name;
    $("theme").setAttribute("aria-pressed", String(name === "dark"));
  };
  set(localStorage.getItem("theme") ?? (dark() ? "dark" : "light"));
  $("theme").addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem("theme", next);
    set(next);
  });
}

/** Show the rules, or only that there are some; the page remembers which. */
function fold(open_) {
  $("paper").hidden = !open_;
  $("fold").setAttribute("aria-expanded", String(open_));
  document.querySelector("main").classList.toggle("reading", open_);
}

/** Press a button by its key, where it can be seen. */
const pressed = (id) => $(id).offsetParent && $(id).click();

/** What letters and arrows do outside of fields; on the board arrows go from cell to cell. */
const KEYS = {
  arrowleft: () => undo(), arrowright: () => jump(state.ply + 1), home: () => jump(0), end: () => jump(state.moves.length),
  escape: () => choose([]), m: () => pressed("go"), v: () => pressed("values"), r: () => $("fold").click(),
  t: () => board.turn(), "+": () => board.larger(1), "-": () => board.larger(-1), 0: () => board.larger(0),
};

async function copied(button, text) {
  const label = button.textContent;
  button.textContent = await copy(text) ? "Copied" : "The browser does not allow that";
  setTimeout(() => { button.textContent = label; }, 1500);
}

function wire() {
  tabs();
  board.wire({ smaller: $("smaller"), whole: $("whole"), larger: $("larger"), turn: $("turn") });
  fold((localStorage.getItem("rules") ?? String(innerWidth >= 860 && innerHeight >= 700)) === "true");
  $("fold").addEventListener("click", () => {
    fold($("paper").hidden);
    localStorage.setItem("rules", String(!$("paper").hidden));
  });
  $("settings").addEventListener("click", () => {
    const on = document.body.classList.toggle("setting");
    $("settings").setAttribute("aria-expanded", String(on));
  });
  $("game").addEventListener("change", (event) => chooseGame(event.target.value));
  $("params").addEventListener("submit", (event) => event.preventDefault());
  $("slow").checked = localStorage.getItem("slow") === "true";
  $("slow").addEventListener("change", () => localStorage.setItem("slow", String($("slow").checked)));
  $("new").addEventListener("click", () => {
    if (together) return void open({ ...state, ...ANEW });
    Object.assign(state, ANEW, { tree: new Variations() });
    known = new Map();
    fine();
    return void show();
  });
  $("first").addEventListener("click", () => jump(0));
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", () => jump(state.ply + 1));
  $("last").addEventListener("click", () => jump(state.moves.length));
  $("go").addEventListener("click", () => move_for("solver"));
  $("values").addEventListener("change", () => {
    if (!position) return;
    stop();
    judged = preferred = null;
    $("valued").textContent = "";
    $("lines").replaceChildren();
    showBar();
    offer();
    showRecord();
    if ($("values").checked) value();
    if (!$("tree").hidden) showTree();
  });
  $("treepicture").addEventListener("click", () => look($("largepicture")));
  $("drawing").addEventListener("submit", async (event) => {
    event.preventDefault();
    drawing?.abort();
    drawing = new AbortController();
    $("drawing").querySelector("button").disabled = true;
    await draw($("treepicture"), $("drawn"),
      { ...fields(), depth: Number($("drawdepth").value), merge: $("drawmerge").value }, drawing.signal);
    $("drawing").querySelector("button").disabled = false;
  });
  $("varying-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    varying?.abort();
    varying = new AbortController();
    const { start, moves, viewer, ...rules } = fields([]);
    await solveVariants($("variantrows"), $("varied"), rules,
      { ranges: $("varyranges").value, changes: $("varychanges").value, claim: $("varyclaim").value },
      ({ params, text }) => open({ game: state.game, text: text ?? state.text, params, ...ANEW },
        { keepRules: false }), varying.signal);
  });
  $("typed").addEventListener("submit", async (event) => {
    event.preventDefault();
    const move = $("move").value.trim();
    if (move && await play(move)) $("move").value = "";
  });
  $("goto").addEventListener("submit", async (event) => {
    event.preventDefault();
    const start = $("position").value.trim();
    if (together) return void open({ ...state, ...ANEW, start });
    try {
      const found = await ask("position", { ...fields([]), start });
      Object.assign(state, ANEW, { start, tree: new Variations() });
      known = new Map();
      fine();
      clock += 1;
      at(found);
    } catch (problem) {
      trouble(problem);
    }
  });
  $("sharegame").addEventListener("click", shareHere);
  $("leave").addEventListener("click", () => open({ ...state }));
  $("copylink").addEventListener("click", (event) => copied(event.target, location.href));
  $("copyposition").addEventListener("click", (event) => copied(event.target, $("position").value));
  const name = () => info.title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  $("save").addEventListener("click", () => download(`${name()}.json`, file(state, info.title), "application/json"));
  $("saverules").addEventListener("click", () => download(`${name()}.game`, editor.text));
  $("load").addEventListener("change", async (event) => {
    const [chosen_] = event.target.files;
    event.target.value = "";
    if (!chosen_) return;
    try {
      await open(opened(chosen_.name, await chosen_.text()));
    } catch (problem) {
      trouble(problem);
    }
  });
  $("comment").addEventListener("input", () => {
    state.tree.comment(place(), $("comment").value.trim());
    showRecord();
    address().then((hash) => history.replaceState(history.state, "", `#${hash}`));
  });
  $("promote").addEventListener("click", () => {
    state.tree.promote(place());
    goto_(place());
  });
  $("delete").addEventListener("click", () => {
    const before = place(state.ply - 1);
    state.tree.remove(place());
    goto_(before);
  });
  $("revert").addEventListener("click", () => open({ ...state, text: null }));
  document.addEventListener("keydown", (event) => {
    if ($("large").open || $("games").open || event.target.closest("input, textarea, select, [contenteditable]")) return;
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const does = control && key === "z" ? (event.shiftKey ? () => jump(state.ply + 1) : undo)
      : control && key === "y" ? () => jump(state.ply + 1)
        : control || event.altKey ? null : KEYS[key];
    if (!does || !position || event.defaultPrevented) return;
    if (key.startsWith("arrow") && event.target.closest("[role=tab]")) return;
    event.preventDefault();
    does();
  });
  addEventListener("hashchange", async () => {
    if (location.hash.slice(1) === await address()) return;
    const game = linked(location.hash);
    const next = game ? null : await parsed(location.hash);
    if (game) join(game);
    else if (next) open(next);
  });
}

/** Say that searches are not ready yet, until they are. */
async function waitUntilReady() {
  $("unready").hidden = false;
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, 1500); });
    try {
      if (await ready()) break;
    } catch {
      continue;
    }
  }
  $("unready").hidden = true;
}

const LOOKING = 1000;  // ms between two looks at a file

/** Go on by a file's new rules as soon as it is saved; rules that were changed on the page stay. */
async function watch(own) {
  let name = null;
  let before = null;
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, LOOKING); });
    if (document.hidden || !own.has(state.game)) continue;
    let now;
    try {
      now = await saved(state.game);
    } catch {
      continue;  // the server has ended, or is being started again
    }
    if (name === state.game && now !== null && before !== null && now !== before) await fileSaved();
    [name, before] = [state.game, now ?? before];
  }
}

async function fileSaved() {
  if (state.text !== null || editor.text !== original) {
    $("checked").textContent = "The file was saved: “Undo all changes” goes on by it.";
    return;
  }
  const lines = original.split("\n");
  await open({ ...state });
  const now = original.split("\n");
  let first = 0;
  while (first < now.length && now[first] === lines[first]) first += 1;
  let last = 0;
  while (last < now.length - first && now[now.length - 1 - last] === lines[lines.length - 1 - last]) last += 1;
  if (first === now.length && now.length === lines.length) return;
  const to = now.length - last;
  const what = to > first + 1 ? `lines ${first + 1} to ${to}` : `line ${first + 1}`;
  $("checked").textContent = `Saved: ${what}. ${$("checked").textContent}`;
  say(`The file was saved: ${what} changed.`);
}

/** Begin a game of the list, at its usual params. */
const chooseGame = (game) => open({ game, text: null, params: {}, ...ANEW });

async function begin() {
  theme();
  let listed;
  try {
    listed = await games();
  } catch (problem) {
    return trouble(problem);
  }
  kinds = listed.players;
  if (!listed.ready) waitUntilReady();
  words_ = { first: new Set(listed.words.first), words: new Set(listed.words.others) };
  editor = new Editor($("editor"), words_, edited);
  editor.element.addEventListener("focus", () => check(editor.text, { open: false }), { once: true });
  $("game").append(...shelves(listed.games).map(([label, found]) =>
    h("optgroup", { label }, ...found.map((game) => h("option", { value: game.name }, game.title)))));
  browse(listed.games, chooseGame);
  wire();
  const files = listed.games.filter((game) => game.own).map((game) => game.name);
  if (files.length) watch(new Set(files));
  const usual = listed.games.some((game) => game.own) ? listed.games[0].name : listed.usual ?? listed.games[0].name;
  first = { game: usual, text: null, params: {}, ...ANEW };
  const game = linked(location.hash);
  if (game) await join(game);
  else await open(await parsed(location.hash) ?? { ...first });
}

begin();
