// A game as a link, as texts and as files: what stands under Share.

import { $, copied, download } from "./dom.js";
import { trouble } from "./notices.js";
import { goToPosition, open } from "./opening.js";
import { text } from "./rules.js";
import { file, opened } from "./share.js";
import { on, place, shown, state } from "./state.js";

export function wireSaving() {
  on("shown", () => {
    $("position").value = shown.position.position;
    $("movestext").value = place().join(" ");
    $("text").textContent = shown.position.board;
  });
  $("goto").addEventListener("submit", (event) => {
    event.preventDefault();
    goToPosition($("position").value.trim());
  });
  $("copylink").addEventListener("click", (event) => copied(event.target, location.href));
  $("copyposition").addEventListener("click", (event) => copied(event.target, $("position").value));
  const name = () => shown.info.title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  $("save").addEventListener("click", () => download(`${name()}.json`, file(state, shown.info.title), "application/json"));
  $("saverules").addEventListener("click", () => download(`${name()}.game`, text()));
  $("load").addEventListener("change", async (event) => {
    const [chosen] = event.target.files;
    event.target.value = "";
    if (!chosen) return;
    try {
      await open(opened(chosen.name, await chosen.text()));
    } catch (problem) {
      trouble(problem);
    }
  });
}
