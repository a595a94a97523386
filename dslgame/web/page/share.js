// A game as text: in the address of the page after `#`, and as a file.

import { Variations } from "./variations.js";

/** What stands after `#` for a state {game, text, params, start, moves, ply, tree}. */
export async function fragment({ game, text, params, start, moves, ply, tree }) {
  const found = [];
  if (game !== null) found.push(`game=${encodeURIComponent(game)}`);
  if (text !== null) found.push(`rules=${await packed(text)}`);
  const given = Object.entries(params);
  if (given.length) found.push(`params=${given.map(([name, value]) => `${name}:${value}`).join(",")}`);
  if (start !== null) found.push(`start=${encodeURIComponent(start)}`);
  if (tree.text()) found.push(`moves=${tree.text()}`);
  if (!tree.main(moves)) found.push(`line=${tree.path(moves)}`);
  if (ply !== moves.length) found.push(`ply=${ply}`);
  return found.join("&");
}

/** The state that such a text means; null where it means none. */
export async function parsed(hash) {
  try {
    const fields = Object.fromEntries(hash.replace(/^#/, "").split("&").filter(Boolean).map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at), part.slice(at + 1)];
    }));
    if (!fields.game && !fields.rules) return null;
    const tree = Variations.parsed(fields.moves ?? "");
    const moves = tree.line(fields.line ? tree.place(fields.line) : []);
    const params = (fields.params ?? "").split(",").filter(Boolean).map((part) => part.split(":"));
    return {
      game: fields.game ? decodeURIComponent(fields.game) : null,
      text: fields.rules ? await unpacked(fields.rules) : null,
      params: Object.fromEntries(params.map(([name, value]) => [name, Number(value)])),
      start: fields.start ? decodeURIComponent(fields.start) : null,
      moves,
      tree,
      ply: fields.ply ? Math.min(Math.max(Math.trunc(Number(fields.ply)) || 0, 0), moves.length) : moves.length,
    };
  } catch {
    return null;
  }
}

/** {id, keys} of an address of a shared game; null where it is another. */
export function linked(hash) {
  const found = /^#?shared=([\w-]+)((?:&key=[\w-]+)*)$/.exec(hash);
  return found && { id: found[1], keys: found[2].split("&key=").slice(1) };
}

/** A game as the text of a file: its moves, and where there are variations or comments also the tree of moves. */
export function file({ game, text, params, start, moves, tree }, title) {
  const more = tree.branched ? { tree: tree.text() } : {};
  return `${JSON.stringify({ dslgame: 1, title, game, rules: text, params, start, moves, ...more }, null, 2)}\n`;
}

/** The state that a file's text means: a saved game, or rules. Throws where it is neither. */
export function opened(name, content) {
  if (!name.endsWith(".json") && !content.trimStart().startsWith("{")) {
    return { game: null, text: content, params: {}, start: null, moves: [], ply: 0 };
  }
  let value;
  try {
    value = JSON.parse(content);
  } catch {
    throw new Error(`${name} is no saved game.`);
  }
  const { game = null, rules = null, params = {}, start = null, moves = [] } = value ?? {};
  if (value?.dslgame !== 1 || (typeof game !== "string" && typeof rules !== "string") || !Array.isArray(moves)
      || !moves.every((move) => typeof move === "string")) {
    throw new Error(`${name} is no saved game.`);
  }
  const all = typeof value.tree === "string" ? Variations.parsed(value.tree) : new Variations();
  all.add(moves);
  return { game, text: rules, params, start, moves, ply: moves.length, tree: all };
}

async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(word) {
  const binary = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}
