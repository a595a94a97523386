// Questions that take long, of which there is one at a time: whatever is shown next gives it up.

import { ask } from "./api.js";
import { trouble } from "./notices.js";
import { fields, shown } from "./state.js";

let thinking = null;

/** Give up what is being asked. */
export function stop() {
  thinking?.abort();
  thinking = null;
  document.body.classList.remove("thinking");
}

/** Begin a question, and give up the one before; what this returns has its `signal`. */
export function begin() {
  stop();
  thinking = new AbortController();
  document.body.classList.add("thinking");
  return thinking;
}

/** End a question, where no other has begun. */
export function end(mine) {
  if (thinking === mine) stop();
}

/** What is asked, and its fields, of a question that takes long: of a game on one screen the server has the moves. */
export function question(what, more = {}) {
  const { together } = shown;
  return together?.kinds ? [`shared/${together.id}/${what}`, { key: together.key, ...more }] : [what, { ...fields(), ...more }];
}

/** Ask something that takes long about the position; null where it was given up or refused. */
export async function think(what, more = {}) {
  const now = shown.clock;
  const mine = begin();
  try {
    const found = await ask(...question(what, more), mine.signal);
    return now === shown.clock ? found : null;
  } catch (problem) {
    if (now === shown.clock) trouble(problem);
    return null;
  } finally {
    end(mine);
  }
}
