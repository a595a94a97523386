"use strict";
// Starts the language server from the workspace's Python, and shows the board beside a file: the page of the server's
// `play`, which follows the text, in a panel.

const fs = require("fs");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;
const panels = new Map();

/** The Python that has dslgame: as set, in the workspace's .venv, as the Python extension has it, or any. */
async function python() {
  const set = vscode.workspace.getConfiguration("dslgame").get("python");
  if (set) return set;
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    for (const inside of [".venv/bin/python", ".venv/Scripts/python.exe"]) {
      const found = path.join(folder.uri.fsPath, inside);
      if (fs.existsSync(found)) return found;
    }
  }
  const extension = vscode.extensions.getExtension("ms-python.python");
  if (extension) {
    const api = extension.isActive ? extension.exports : await extension.activate();
    const chosen = api?.environments?.getActiveEnvironmentPath?.()?.path;
    if (chosen) return chosen;
  }
  return process.platform === "win32" ? "python" : "python3";
}

async function start(context) {
  const command = await python();
  const languages = ["dslgame", "dslgame-pattern", "markdown"];
  client = new LanguageClient(
    "dslgame", "dslgame", { command, args: ["-m", "dslgame", "lsp"] },
    {
      documentSelector: languages.map((language) => ({ language })),
      middleware: {
        // The page that `play` serves is shown in a panel instead of a browser.
        executeCommand: async (name, given, next) => {
          const said = await next(name, given);
          if (name === "dslgame.play") show(String(given[0]), String(said));
          return said;
        },
        window: { showDocument: async (given, next) => (panels.has(given.uri) ? { success: true } : next(given)) },
      },
    },
  );
  try {
    await client.start();
  } catch (problem) {
    vscode.window.showErrorMessage(
      `dslgame: the language server does not start with ${command}. Install it there: pip install 'dslgame[editors]'`);
  }
}

/** Show the page of an answer such as `played at http://127.0.0.1:40000/` beside the editor. */
async function show(document, said) {
  const address = /https?:\/\/\S+/.exec(said)?.[0];
  if (!address) return;
  const known = panels.get(address);
  if (known) return known.reveal(vscode.ViewColumn.Beside, true);
  const outside = await vscode.env.asExternalUri(vscode.Uri.parse(address));
  const panel = vscode.window.createWebviewPanel(
    "dslgame.board", path.basename(document), { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    { enableScripts: true, retainContextWhenHidden: true });
  panels.set(address, panel);
  panel.onDidDispose(() => panels.delete(address));
  panel.webview.html = page(outside.toString());
}

/** A page that holds another one and nothing else. */
function page(address) {
  const origin = new URL(address).origin;
  const policy = `default-src 'none'; frame-src ${origin}; style-src 'unsafe-inline'`;
  return `<!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="${policy}">
<style>html, body, iframe { margin: 0; padding: 0; border: 0; width: 100%; height: 100vh; overflow: hidden }</style>
</head><body><iframe src="${address}"></iframe></body></html>`;
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("dslgame.preview", async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor) await vscode.commands.executeCommand("dslgame.play", editor.document.uri.toString(), 0);
    }),
    vscode.commands.registerCommand("dslgame.restart", async () => {
      await client?.stop();
      await start(context);
    }),
  );
  await start(context);
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate, page };
