// The page: its parts are wired together, and the game of its address is opened.

import { ready } from "./api.js";
import { browse, shelves } from "./browse.js";
import { $, h } from "./dom.js";
import { first, listed as listing, usual } from "./early.js";
import { wireAnalysis } from "./analysis.js";
import { wireBeside } from "./beside.js";
import { play, wireMoving } from "./moving.js";
import { trouble } from "./notices.js";
import { wireOffering } from "./offering.js";
import { beginAnew, chooseGame, open } from "./opening.js";
import { wirePanels } from "./panels.js";
import { wireRecord } from "./record.js";
import { watch, wireRules } from "./rules.js";
import { wireSaving } from "./saving.js";
import { linked, parsed } from "./share.js";
import { join, wireShared } from "./shared.js";
import { address, shown } from "./state.js";
import { wireTheme, wireWindow } from "./window.js";

const ASKING = 1500;  // ms between two questions whether searches are ready

/** Say that searches are not ready yet, until they are. */
async function waitUntilReady() {
  $("unready").hidden = false;
  for (;;) {
    await new Promise((resolve) => { setTimeout(resolve, ASKING); });
    try {
      if (await ready()) break;
    } catch {
      continue;
    }
  }
  $("unready").hidden = true;
}

/** Show the game of the address, where it changed by other means than the page's own. */
async function followAddress() {
  if (location.hash.slice(1) === await address()) return;
  const game = linked(location.hash);
  const next = game ? null : await parsed(location.hash);
  if (game) join(game);
  else if (next) open(next);
}

/** Wire all parts together. They are told of changes in this order. */
function wire(listed) {
  wireRules({ first: new Set(listed.words.first), words: new Set(listed.words.others) });
  wireBeside();
  wireOffering(play);
  wireAnalysis();
  wireRecord(play);
  wireSaving();
  wirePanels();
  wireShared();
  wireMoving();
  wireWindow();
  $("game").append(...shelves(listed.games).map(([label, found]) =>
    h("optgroup", { label }, ...found.map((game) => h("option", { value: game.name }, game.title)))));
  $("game").addEventListener("change", (event) => chooseGame(event.target.value));
  $("new").addEventListener("click", beginAnew);
  browse(listed.games, chooseGame);
  addEventListener("hashchange", followAddress);
}

async function begin() {
  wireTheme();
  let listed;
  try {
    listed = await listing;
  } catch (problem) {
    return trouble(problem);
  }
  shown.kinds = listed.players;
  if (!listed.ready) waitUntilReady();
  wire(listed);
  const own = listed.games.filter((game) => game.own).map((game) => game.name);
  if (own.length) watch(new Set(own));
  shown.usual = usual;
  const game = linked(location.hash);
  if (game) await join(game);
  else await open(await first);
}

begin();
