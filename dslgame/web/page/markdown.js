// Texts of the server with code in them, as elements.

import { h } from "./dom.js";

/** Paragraphs, lists, code in backticks, and blocks of code between three of them, or indented. */
export function marked(text) {
  return text.split(/```\w*\n([^]*?)\n```/).flatMap((part, number) => (
    number % 2 ? [h("pre", {}, part)] : part.split(/\n{2,}/).filter((block) => block.trim()).map(paragraph)));
}

function paragraph(block) {
  const lines = block.replace(/^\n+|\s+$/g, "").split("\n");
  if (lines.every((line) => line.startsWith("- "))) return h("ul", {}, ...lines.map((line) => h("li", {}, ...inline(line.slice(2)))));
  if (lines.some((line) => /^ {2,}/.test(line))) return h("pre", {}, lines.join("\n"));
  return h("p", {}, ...inline(lines.join(" ")));
}

/** A line with code in backticks. */
export const inline = (line) => line.split("`").map((piece, number) => (number % 2 ? h("code", {}, piece) : piece));
