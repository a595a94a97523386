// Tokens of texts by a TextMate grammar, as VS Code finds them: node tokenise.mjs MODULES GRAMMAR SCOPE < JSON list
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [modules, grammar, scope] = process.argv.slice(2);
const require = createRequire(path.join(modules, "node_modules", "x.js"));
const { Registry } = require("vscode-textmate");
const { loadWASM, OnigScanner, OnigString } = require("vscode-oniguruma");
await loadWASM(fs.readFileSync(path.join(modules, "node_modules", "vscode-oniguruma", "release", "onig.wasm")).buffer);
const registry = new Registry({
  onigLib: Promise.resolve({ createOnigScanner: (s) => new OnigScanner(s), createOnigString: (s) => new OnigString(s) }),
  loadGrammar: async () => JSON.parse(fs.readFileSync(grammar, "utf8")),
});
const loaded = await registry.loadGrammar(scope);

function tokens(text) {
  let stack = null;
  const found = [];
  text.split("\n").forEach((row, number) => {
    const line = loaded.tokenizeLine(row, stack);
    stack = line.ruleStack;
    for (const token of line.tokens) {
      const word = row.slice(token.startIndex, token.endIndex);
      if (word.trim()) found.push([number + 1, token.startIndex + 1, word, token.scopes.at(-1)]);
    }
  });
  return found;
}

fs.writeFileSync(1, JSON.stringify(JSON.parse(fs.readFileSync(0, "utf8")).map(tokens)));
