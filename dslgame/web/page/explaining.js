// What the code of a diagnostic means, as `dslgame explain` says it.

import { explanation } from "./api.js";
import { $, h } from "./dom.js";
import { marked } from "./markdown.js";
import { trouble } from "./notices.js";

const PARTS = [["what", "What"], ["why", "Why"], ["example", "Example"], ["fix", "Fix"]];

/** Show what a code means. */
export async function explain(code) {
  let found;
  try {
    found = await explanation(code);
  } catch (problem) {
    return trouble(problem);
  }
  $("explained-title").textContent = `${found.code}: ${found.title}`;
  $("explanation").replaceChildren(...PARTS.filter(([name]) => found[name].trim()).flatMap(([name, title]) => [
    h("h3", {}, title), ...(name === "example" ? [h("pre", {}, found[name])] : marked(found[name]))]));
  $("explained").showModal();
}
