// What can be chosen: cells of the board, borders between them, and buttons for what is no cell.

import { Board } from "./board.js";
import { choicesAt, entries, isOnBoard, situation, wanted, words } from "./choosing.js";
import { $, h, picture } from "./dom.js";
import { backwards } from "./motion.js";
import { settled, trouble } from "./notices.js";
import { askHere } from "./opening.js";
import { machine, mayMove, on, shown, state, tell } from "./state.js";
import { best, warm, worth } from "./values.js";

const MOST_SHOWN = 400;
const WORDS = /^\p{L}{3}[\p{L} ]*$/u;  // a move's text that says by itself what is done

let chosen = [];      // the choices of the move that is being made
let doubtful = null;  // choices among which a click did not decide
let last = null;      // which position was shown last
let framed = false;   // whether the steps of the last move were shown
let play = null;      // makes a move, given by its path

export const board = new Board($("board"), { clicked: (cell) => click(cell), cancelled: () => choose([]) });

/** Show what can be chosen wherever the game is; `making` is called with the path of a move that was chosen. */
export function wireOffering(making) {
  play = making;
  board.wire({ smaller: $("smaller"), whole: $("whole"), larger: $("larger"), turn: $("turn") });
  on("shown", () => {
    const next = { info: shown.info, ply: state.ply, start: state.start };
    const moved = last && last.info === next.info && last.start === next.start && Math.abs(next.ply - last.ply) === 1;
    const slid = !moved || framed ? [] : next.ply > last.ply ? shown.position.slid : backwards(last.slid);
    framed = false;
    tell("moved", board.show(shown.position, shown.info, moved, slid), moved);
    last = { ...next, slid: shown.position.slid };
    choose([]);
  });
  on("frame", () => { framed = true; });
  on("refused", () => choose([]));
  on("judged", () => offer());
}

/** Set the choices made so far, and show what can be chosen next. */
export function choose(path, focusChips = false) {
  chosen = path;
  doubtful = null;
  offer(focusChips);
  settled(!answering());
}

/** Whether something comes by itself: the server makes the moves of chance and computers on one screen. */
function answering() {
  const { together, position } = shown;
  return Boolean(together?.kinds) && !position.over && state.ply === state.moves.length && machine(position) !== null;
}

function offer(focusChips = false) {
  const { options, complete } = situation(shown.entries, chosen);
  const mine = mayMove();
  const targets = new Map();
  for (const cell of board.cells.values()) {
    const choices = mine ? choicesAt(options, cell) : [];
    if (!choices.length) continue;
    const there = choices.flatMap((choice) => options.get(choice));
    const value = best(there.map(valueOf));
    targets.set(cell.number, value && { ...value, best: there.some(({ text }) => text !== null && text === shown.preferred) });
  }
  warm(targets);
  board.offer(targets, taken());
  board.walls(mine && !chosen.length ? shown.position.walls : [], play);
  showChips(options, complete, mine);
  $("prompt").textContent = mine ? prompt(options) : "";
  if (focusChips) $("chips").querySelector("button")?.focus();
}

/** The cells that are chosen, or whose row or column is. */
function taken() {
  const found = new Set(chosen.filter((choice) => choice[0] === "c").map((choice) => Number(choice.slice(1))));
  for (const choice of chosen.filter((item) => "rk".includes(item[0]))) {
    for (const cell of board.cells.values()) {
      if (choicesAt(new Map([[choice, []]]), cell).length) found.add(cell.number);
    }
  }
  return found;
}

/** What is asked for now. */
function prompt(options) {
  const { together, info, position } = shown;
  if (doubtful) return "Which of these?";
  const looking = handing();
  if (looking === null) return `Hide what ${info.players[together.seat].name} sees before ${info.players[position.to_move].name} looks.`;
  if (looking !== undefined) return `Whoever plays ${info.players[looking].name} looks now, and nobody else.`;
  if (together && !shown.entries.length) {
    return together.seat < 0 ? "You watch this game." : `Waiting for ${info.players[position.to_move].name} …`;
  }
  const made = chosen.map((choice) => words(choice, info, board.cells)).join(", ");
  const border = !chosen.length && position.walls.length ? " or a border" : "";
  const next = options.size || border ? `choose ${wanted(options) || "a cell"}${border}` : "choose one of these";
  return made ? `${made}: ${next}` : `${next[0].toUpperCase()}${next.slice(1)}`;
}

/** Whose turn it is to look at a screen that several people play on, as `Together.next`. */
const handing = () => (state.ply === state.moves.length ? shown.together?.next(shown.position) : undefined);

function valueOf(entry) {
  return entry.text === null || !shown.judged ? null : worth(shown.judged.get(entry.text), shown.info.players[shown.position.to_move].side, shown.info.players.length === 1);
}

function showChips(options, complete, mine) {
  const chips = [];
  const { info } = shown;
  const chip = (label, worths, action, extra = null) => {
    const value = best(worths);
    chips.push(h("button", { type: "button", class: `chip ${value?.kind ?? ""}`, onclick: action }, extra, label,
      value ? h("span", { class: "badge", title: value.words }, value.label) : null));
  };
  const name = ({ path, text }) => (path[0] < 0 || WORDS.test(text) ? text : `${info.moves[path[0]].name} (${text})`);
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
  const looking = handing();
  if (looking !== undefined) {
    const label = looking === null ? `Hide what ${info.players[shown.together.seat].name} sees` : `Show what ${info.players[looking].name} sees`;
    chip(label, [], () => tell("sit", looking));
  }
  if (mine && (chosen.length || doubtful)) {
    chips.push(h("button", { type: "button", class: "chip cancel", onclick: () => { choose([]); board.focus(); } }, "Cancel"));
  }
  $("chips").replaceChildren(...chips);
}

/** A cell was clicked. */
function click(cell) {
  if (!shown.position || !mayMove()) return;
  const { options } = situation(shown.entries, chosen);
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
    const again = choicesAt(situation(shown.entries, []).options, cell);
    if (again.length === 1) take(again[0]);
  }
}

/** Make one more choice; play the move where it is complete. */
async function take(choice) {
  settled(false);
  const path = [...chosen, choice];
  const beginnings = shown.entries.filter(({ text, path: known }) => text === null && known.length === path.length + 1
    && path.every((item, number) => known[number + 1] === item));
  if (beginnings.length) {
    const now = shown.clock;
    let lists;
    try {
      lists = await Promise.all(beginnings.map((entry) => askHere("choices", { chosen: entry.path })));
    } catch (problem) {
      return trouble(problem);
    }
    if (now !== shown.clock) return undefined;
    shown.entries = [...shown.entries.filter((entry) => !beginnings.includes(entry)), ...lists.flatMap(entries)];
  }
  const { options, complete } = situation(shown.entries, path);
  if (!options.size && complete.length === 1) return play(complete[0].path);
  const onBoard = [...options.keys()].some(isOnBoard);
  return choose(path, !onBoard);
}
