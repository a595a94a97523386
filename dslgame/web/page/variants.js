// The panel of variants: a game at several params and with changed rules, as a table in which any can be opened.

import { ask } from "./api.js";
import { h } from "./dom.js";

const PART = /^(-?\d+)(?:\.\.(-?\d+))?$/;

/** `rows=2..4 columns=3` as {rows: [2, 3, 4], columns: [3]}. Throws with a sentence for people. */
export function ranges(text) {
  const found = {};
  for (const word of text.trim().split(/[\s;]+/).filter(Boolean)) {
    const [name, values, ...more] = word.split("=");
    if (!values || more.length) throw new Error(`Found “${word}”, expected NAME=VALUES such as rows=2..4.`);
    found[name] = values.split(",").flatMap((part) => numbers(part));
  }
  return found;
}

function numbers(part) {
  const match = PART.exec(part);
  if (!match) throw new Error(`Found “${part}”, expected a number or a range such as 2..4.`);
  const low = Number(match[1]);
  const high = Number(match[2] ?? match[1]);
  if (high < low || high - low > 50) throw new Error(`Found “${part}”, expected the smaller number first, and at most 50.`);
  return Array.from({ length: high - low + 1 }, (_, place) => low + place);
}

/** Solve a family and show it; `open` is called with the row that is clicked. */
export async function solve(place, note, fields, form, open, signal) {
  note.textContent = "Solving …";
  place.replaceChildren();
  let found;
  try {
    const changes = form.changes.split("\n").map((line) => line.trim()).filter(Boolean);
    found = await ask("variants", { ...fields, ranges: ranges(form.ranges), changes, claim: form.claim.trim() }, signal);
  } catch (problem) {
    note.textContent = problem.name === "AbortError" ? "" : problem.message;
    return;
  }
  const solved = found.rows.filter((row) => (row.winner ?? row.worth) !== null).length;
  note.textContent = `${found.rows.length} games, ${solved} solved${judged(found)}`;
  place.replaceChildren(table(found, open));
  note.scrollIntoView({ block: "start" });
}

function judged({ claim, rows }) {
  if (!claim) return "";
  const row = claim.counterexample === null ? null : rows[claim.counterexample];
  return `; the claim is ${claim.verdict}${row ? `, as ${named(row, Object.keys(row.params))} shows${claim.line.length ? `: ${claim.line.join(" ")}` : ""}` : ""}`;
}

const named = (row, names) => [...names.map((name) => `${name}=${row.params[name]}`), ...row.changes].join(" ") || "as it is";

function table({ rows, varied, claim }, open) {
  const head = ["game", "value", "plies", "winning moves", "positions", ...(claim ? ["claim"] : [])];
  return h("table", { "aria-label": "Variants" },
    h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...rows.map((row) => h("tr", { "data-player": row.player },
      h("td", {}, row.playable ? h("button", { type: "button", class: "link", title: "Play this one", onclick: () => open(row) },
        named(row, varied)) : named(row, varied)),
      h("td", { title: row.reason }, row.winner ?? row.worth ?? (row.playable ? "unknown" : "no game")),
      h("td", {}, row.plies === null ? "" : String(row.plies)),
      h("td", {}, row.moves ? `${row.wins} of ${row.moves}` : ""),
      h("td", {}, row.positions === null ? "" : row.positions.toLocaleString("en")),
      claim ? h("td", {}, row.claim) : null))));
}
