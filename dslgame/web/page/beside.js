// What stands beside the board of a game: who plays and whose turn it is, the params, and how to play.

import { ANEW } from "./asking.js";
import { $, h, picture } from "./dom.js";
import { inline } from "./markdown.js";
import { at, open } from "./opening.js";
import { on, outcome, shown, state } from "./state.js";

/** Show what stands beside the board. */
export function wireBeside() {
  on("opened", ({ params }) => showParams(params));
  on("described", showSides);
  on("shown", showStatus);
  on("shown", () => showHands(shown.position.beside));
  on("frame", (frame) => showHands(frame.beside));
  $("params").addEventListener("submit", (event) => event.preventDefault());
}

function showStatus() {
  const { info, position, together } = shown;
  const name = info.players[position.to_move].name;
  const mine = together?.seat === position.to_move ? " (you)" : "";
  $("status").textContent = position.over ? outcome() : `${name}${mine} to move`;
  $("status").dataset.over = String(position.over);
  $("allshown").hidden = !info.hides || together !== null;
  $("go").disabled = position.over || (together !== null && !position.count);
  document.querySelectorAll(".side").forEach((side, number) =>
    side.classList.toggle("turn", !position.over && number === position.to_move));
}

/** Show what belongs to no cell: hands and counters, by player. */
function showHands(blocks) {
  const { info } = shown;
  const swatch = (player) => {
    const found = h("span", { class: "swatch", "aria-hidden": "true" });
    found.style.background = info.players[player].colour;
    return found;
  };
  const entry = ({ label, value, piece, player }) => h("span", { class: "entry" },
    player === null ? null : swatch(player),
    piece ? picture(info.pieces[piece - 1].picture, { class: "held", "aria-hidden": "true" }) : null,
    piece && label && /^\d+$/.test(value) ? h("span", {}, h("span", { class: "hidden" }, label), ` ×${value}`)
      : [label, value].filter(Boolean).join(" "));
  const row = ({ name, entries }) => h("span", { class: "row" }, h("span", { class: "name" }, name), " ",
    ...(entries.length ? entries.map(entry) : ["–"]));
  const block = ({ player, rows }) => [
    player === null ? h("dt", { class: "hidden" }, "All") : h("dt", {}, swatch(player), info.players[player].name),
    h("dd", {}, ...rows.map(row))];
  $("beside").replaceChildren(...blocks.map((found) => h("div", {}, ...block(found))));
  $("beside").hidden = !blocks.length;
}

function showSides() {
  const { info, kinds, seats, together } = shown;
  document.body.classList.toggle("bare", info.bare);
  $("sides").replaceChildren(...info.players.map((player, number) => {
    const swatch = h("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = player.colour;
    if (together && !together.kinds) {
      return h("div", { class: "side" }, swatch, h("b", {}, player.name), h("span", { class: "there" }));
    }
    const select = h("select", { id: `seat${number}`, onchange: (event) => {
      seats[number] = event.target.value;
      if (info.hides) open({ ...state, ...ANEW });  // another one who looks would know too much
      else at(shown.position);
    } }, ...kinds.filter(({ key }) => info.kinds.includes(key))
      .map(({ key, title }) => h("option", { value: key, selected: seats[number] === key }, title)));
    return h("div", { class: "side" }, swatch, h("label", { for: `seat${number}` }, player.name), select);
  }));
}

/** What a file says of the game before its rules, who made it, and what it says of its params. */
export function showAbout(text, params, credits) {
  const lines = text.split("\n");
  const head = lines.slice(0, lines.findIndex((line) => !/^\s*(#|$)/.test(line)));
  const said = head.map((line) => line.replace(/^\s*#\s?/, "").trim()).join("\n").split(/\n{2,}/);
  const range = ({ low, high }) => (low === null ? "" : high === null ? `, ${low} or more` : `, ${low} to ${high}`);
  const param = (item) => h("li", {}, h("b", {}, item.name), ` = ${item.value}${range(item)}`,
    item.help ? h("span", { class: "note" }, ` ${item.help}`) : null);
  $("about").replaceChildren(
    ...said.filter(Boolean).map((part) => h("p", {}, ...inline(part))),
    ...(credits ? [h("p", { class: "note credits" }, credits)] : []),
    ...(params.length ? [h("h2", {}, "Params"), h("ul", {}, ...params.map(param))] : []),
    ...(said.some(Boolean) ? [] : [h("p", { class: "note" }, "The file says nothing of how the game is played: see its rules.")]));
}

function showParams(params) {
  $("params").replaceChildren(...params.map(({ name, value, low, high, help }) => h("label", { class: "field", title: help },
    h("span", {}, name),
    h("input", { type: "number", name, value, min: low, max: high, required: true, size: 3,
      onchange: (event) => { if (event.target.reportValidity()) setParam(name, Number(event.target.value)); } }))));
}

function setParam(name, number) {
  open({ ...state, params: { ...state.params, [name]: number }, ...ANEW }, { keepRules: true, checkAgain: true });
}
