// The playground: rules in the page's editor, checked and made playable by Python in a worker.

import { Editor } from "./editor.js";

const $ = (id) => document.getElementById(id);
const PAUSE = 350;

/** Ask the worker; answers come in the order of questions. */
class Python {
  constructor() {
    this.worker = new Worker("worker.js", { type: "module" });
    this.waiting = [];
    this.worker.onmessage = ({ data }) => {
      const { resolve, reject } = this.waiting.shift();
      if (data.problem) reject(new Error(data.problem));
      else resolve(data.answer);
    };
  }

  ask(name, ...given) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.worker.postMessage([name, given]);
    });
  }
}

async function main() {
  const python = new Python();
  const { games, words } = await python.ask("begin");
  let timer = 0;
  let asked = 0;

  const say = (text) => { $("found").textContent = text; };
  const editor = new Editor($("editor"), { first: new Set(words.first), words: new Set(words.others) }, () => {
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE);
  });

  async function check() {
    const number = ++asked;
    const text = editor.text;
    const { diagnostics, playable } = await python.ask("check", text);
    if (number !== asked || text !== editor.text) return playable;
    editor.find(diagnostics);
    $("play").disabled = !playable;
    const errors = diagnostics.filter((item) => item.severity === "error").length;
    say(errors ? `${errors} error${errors > 1 ? "s" : ""}` : diagnostics.length ? "It can be played; see the remarks." : "No problems.");
    return playable;
  }

  async function play() {
    if (!await check()) return;
    say("Compiling the rules ...");
    const { page, problem } = await python.ask("play", editor.text);
    if (problem) return say(problem);
    $("board").srcdoc = page;
    say("Play on the board.");
    document.body.dataset.playing = String(Number(document.body.dataset.playing ?? 0) + 1);
  }

  async function open(name) {
    const found = games.some((game) => game.name === name) ? name : "tic_tac_toe";
    $("game").value = found;
    editor.set(await python.ask("text", found));
    await play();
  }

  for (const { name, title } of games) $("game").append(new Option(title, name));
  $("game").onchange = () => { location.hash = $("game").value; };
  $("play").onclick = play;
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) play();
  }, true);
  window.onhashchange = () => open(location.hash.slice(1));
  await open(location.hash.slice(1));
}

main().catch((problem) => { $("found").textContent = `The playground cannot start: ${problem.message}`; });
