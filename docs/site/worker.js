// Python in the browser: Pyodide with the packages in python.zip; playground.py answers.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const ready = (async () => {
  const python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  const [packages, script] = await Promise.all([fetch("python.zip"), fetch("playground.py")]);
  if (!packages.ok || !script.ok) throw new Error("its files are missing");
  python.unpackArchive(await packages.arrayBuffer(), "zip", { extractDir: "/lib/dslgame" });
  python.runPython(await script.text());
  return python.globals.get("answer");
})();

self.onmessage = async ({ data: [name, given] }) => {
  try {
    const answer = await ready;
    self.postMessage({ answer: JSON.parse(answer(name, JSON.stringify(given))) });
  } catch (problem) {
    self.postMessage({ problem: problem.message });
  }
};
