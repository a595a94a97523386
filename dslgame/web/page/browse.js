// Choosing a game by its picture: a shelf for each genre, as the files name them. Pictures come when they are in sight.

import { ask } from "./api.js";
import { $, h, picture } from "./dom.js";

/** The games of a listing by shelf: own files first, then the genres in alphabetical order; each [label, games]. */
export function shelves(games) {
  const found = new Map();
  for (const game of games.filter(({ own }) => !own)) {
    if (!found.has(game.genre)) found.set(game.genre, []);
    found.get(game.genre).push(game);
  }
  const sorted = [...found].sort(([one], [other]) => one.localeCompare(other));
  const own = games.filter((game) => game.own);
  return own.length ? [["Your files", own], ...sorted] : sorted;
}

/** Let a button open the shelves; `chosen` is called with the name of a game. */
export function browse(games, chosen) {
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      fetched(target);
    }
  }, { root: $("games"), rootMargin: "200px" });
  let kind = "";
  const again = () => filter($("find").value, kind);
  const choice = (label) => h("button", { type: "button", class: "chip", "aria-pressed": "false", onclick: () => {
    kind = kind === label ? "" : label;
    [...$("kinds").children].forEach((other) => other.setAttribute("aria-pressed", String(other.textContent === kind)));
    again();
  } }, label);
  const card = (game) => h("button", { type: "button", class: "card", "data-game": game.name, onclick: () => {
    $("games").close();
    chosen(game.name);
  } }, h("span", { class: "cover" }), h("span", {}, game.title));
  $("browse").addEventListener("click", () => {
    if (!$("shelves").firstChild) {
      const found = shelves(games);
      $("shelves").append(...found.map(([label, here]) =>
        h("section", {}, h("h2", {}, label), h("div", { class: "shelf" }, ...here.map(card)))));
      $("kinds").append(...found.map(([label]) => choice(label)));
      document.querySelectorAll("#shelves .card").forEach((element) => seen.observe(element));
    }
    $("games").showModal();
    $("find").focus();
  });
  $("find").addEventListener("input", again);
  $("find").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    document.querySelector("#shelves section:not([hidden]) .card:not([hidden])")?.click();
  });
}

/** How well a title answers what was typed, 0 for best: it is that, begins so, has a word that begins so, or has it somewhere. */
function rank(title, typed) {
  if (title === typed) return 0;
  if (title.startsWith(typed)) return 1;
  return title.includes(` ${typed}`) ? 2 : title.includes(typed) ? 3 : 4;
}

/** Show only the games of a kind ("" for all) whose title, or whose genre, has each of some words; the best first. */
function filter(text, kind) {
  const typed = text.toLowerCase().trim();
  const wanted = typed.split(/\s+/).filter(Boolean);
  let found = 0;
  const sections = [...$("shelves").children].map((section, place) => {
    const heading = section.querySelector("h2").textContent;
    const cards = [...section.querySelectorAll(".card")].map((card) => {
      const title = card.lastElementChild.textContent.toLowerCase();  // what stands on its picture is no title
      card.hidden = (kind && heading !== kind) || !wanted.every((word) => `${title} ${heading.toLowerCase()}`.includes(word));
      return { element: card, rank: card.hidden ? 5 : rank(title, typed), title };
    });
    const shown = cards.filter(({ element }) => !element.hidden).length;
    section.hidden = shown === 0;
    found += shown;
    sorted(section.querySelector(".shelf"), cards);
    section.dataset.place ??= place;
    return { element: section, rank: Math.min(...cards.map((card) => card.rank)), title: section.dataset.place.padStart(3, "0") };
  });
  sorted($("shelves"), sections);
  $("nothing").textContent = wanted.length || kind ? `${found} ${found === 1 ? "game" : "games"}` : "";
}

/** Put elements into an order, by rank and then title; without a change where they are in it. */
function sorted(place, items) {
  const order = items.sort((one, other) => one.rank - other.rank || one.title.localeCompare(other.title)).map(({ element }) => element);
  if (order.some((element, number) => place.children[number] !== element)) place.append(...order);
}

async function fetched(element) {
  try {
    const found = await ask("picture", { game: element.dataset.game });
    element.querySelector(".cover").replaceChildren(picture(found.picture, { "aria-hidden": "true" }));
  } catch (problem) {
    element.title = problem.message;
  }
}
