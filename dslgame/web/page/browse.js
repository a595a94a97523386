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
  const card = (game) => h("button", { type: "button", class: "card", "data-game": game.name, onclick: () => {
    $("games").close();
    chosen(game.name);
  } }, h("span", { class: "cover" }), h("span", {}, game.title));
  $("browse").addEventListener("click", () => {
    if (!$("shelves").firstChild) {
      $("shelves").append(...shelves(games).map(([label, found]) =>
        h("section", {}, h("h2", {}, label), h("div", { class: "shelf" }, ...found.map(card)))));
      document.querySelectorAll("#shelves .card").forEach((element) => seen.observe(element));
    }
    $("games").showModal();
    $("find").focus();
  });
  $("find").addEventListener("input", () => filter($("find").value));
  $("find").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    document.querySelector("#shelves section:not([hidden]) .card:not([hidden])")?.click();
  });
}

/** Show only the games whose title, or whose genre, has each of some words. */
function filter(text) {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const section of $("shelves").children) {
    const genre = section.querySelector("h2").textContent.toLowerCase();
    let shown = 0;
    for (const card of section.querySelectorAll(".card")) {
      card.hidden = !wanted.every((word) => `${card.textContent} ${genre}`.toLowerCase().includes(word));
      shown += card.hidden ? 0 : 1;
    }
    section.hidden = shown === 0;
    found += shown;
  }
  $("nothing").textContent = wanted.length ? `${found} ${found === 1 ? "game" : "games"}` : "";
}

async function fetched(element) {
  try {
    const found = await ask("picture", { game: element.dataset.game });
    element.querySelector(".cover").replaceChildren(picture(found.picture, { "aria-hidden": "true" }));
  } catch (problem) {
    element.title = problem.message;
  }
}
