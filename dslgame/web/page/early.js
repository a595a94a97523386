// What is asked before all modules are there: which games there are, and the game and the board of the address.

import { ahead, games } from "./api.js";
import { linked, parsed } from "./share.js";
import { ANEW, opening } from "./asking.js";

/** The game that is shown where the address names none. */
export const usual = { game: document.documentElement.dataset.usual, text: null, params: {}, ...ANEW };

export const listed = games();
listed.catch(() => {});  // whoever waits for it says so

/** The state that the address means, or the usual one; null for a shared game. */
export const first = (async () => (linked(location.hash) ? null : await parsed(location.hash) ?? { ...usual }))();
first.then((state) => { if (state) ahead("game", opening(state)); });
