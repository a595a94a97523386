"use strict";
// Builds and packages the extension: `npm install && npm run package`. Grammars are written by the Python that has
// dslgame (PYTHON, else the repository's .venv, else python3); nothing that is written here is committed.

const fs = require("fs");
const path = require("path");
const { execFileSync } = require("child_process");

const here = __dirname;
const own = path.join(here, "..", "..", ".venv", "bin", "python");
const python = process.env.PYTHON || (fs.existsSync(own) ? own : "python3");
const written = { textmate: "dslgame.json", "textmate-pattern": "dslgame-pattern.json", "textmate-markdown": "markdown.json" };

fs.mkdirSync(path.join(here, "syntaxes"), { recursive: true });
for (const [format, file] of Object.entries(written)) {
  const text = execFileSync(python, ["-m", "dslgame.editing.grammars", format], { encoding: "utf8" });
  fs.writeFileSync(path.join(here, "syntaxes", file), text);
}
fs.copyFileSync(path.join(here, "..", "..", "LICENSE"), path.join(here, "LICENSE"));
if (!process.argv.includes("--grammars")) {
  execFileSync("npx", ["@vscode/vsce", "package", "--allow-missing-repository", "--out", "dslgame.vsix"],
    { cwd: here, stdio: "inherit" });
}
