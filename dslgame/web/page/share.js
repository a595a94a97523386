// A game as text: in the address of the page after `#`, and as a file.

/** What stands after `#` for a state {game, text, params, start, moves, ply}. */
export async function fragment({ game, text, params, start, moves, ply }) {
  const found = [];
  if (game !== null) found.push(`game=${encodeURIComponent(game)}`);
  if (text !== null) found.push(`rules=${await packed(text)}`);
  const given = Object.entries(params);
  if (given.length) found.push(`params=${given.map(([name, value]) => `${name}:${value}`).join(",")}`);
  if (start !== null) found.push(`start=${encodeURIComponent(start)}`);
  if (moves.length) found.push(`moves=${moves.map(encodeURIComponent).join(";")}`);
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
    const moves = fields.moves ? fields.moves.split(";").map(decodeURIComponent) : [];
    const params = (fields.params ?? "").split(",").filter(Boolean).map((part) => part.split(":"));
    return {
      game: fields.game ? decodeURIComponent(fields.game) : null,
      text: fields.rules ? await unpacked(fields.rules) : null,
      params: Object.fromEntries(params.map(([name, value]) => [name, Number(value)])),
      start: fields.start ? decodeURIComponent(fields.start) : null,
      moves,
      ply: fields.ply ? Math.min(Number(fields.ply) || 0, moves.length) : moves.length,
    };
  } catch {
    return null;
  }
}

/** A game as the text of a file. */
export function file({ game, text, params, start, moves }, title) {
  return `${JSON.stringify({ dslgame: 1, title, game, rules: text, params, start, moves }, null, 2)}\n`;
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
  const { game = null, rules = null, params = {}, start = null, moves = [] } = value;
  if (value.dslgame !== 1 || (typeof game !== "string" && typeof rules !== "string") || !Array.isArray(moves)
      || !moves.every((move) => typeof move === "string")) {
    throw new Error(`${name} is no saved game.`);
  }
  return { game, text: rules, params, start, moves, ply: moves.length };
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
