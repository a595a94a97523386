// What the server is asked. Every question carries the whole game; the server keeps none.

/** What the server refuses, with its `kind` and its sentence. */
export class Refused extends Error {
  constructor({ kind, message, ...more }) {
    super(message);
    this.kind = kind;
    this.more = more;
  }
}

export async function games() {
  return answered(await fetch("/api/games"));
}

/** Whether searches can begin at once. */
export async function ready() {
  return (await answered(await fetch("/api/ready"))).ready;
}

/** What changes when a game's file is saved; null where there is none. */
export async function saved(name) {
  return (await answered(await fetch(`/api/saved/${encodeURIComponent(name)}`))).saved;
}

/** What the code of a diagnostic means: {code, title, what, why, example, fix}. */
export async function explanation(code) {
  return answered(await fetch(`/api/explain/${encodeURIComponent(code)}`));
}

const awaited = new Map();  // what was asked ahead, by the question

/** Ask for something that `ask` will be called for soon, with the same fields. */
export function ahead(what, fields) {
  const answer = asked(what, fields).then(answered);
  answer.catch(() => {});  // whoever asks for it says so
  awaited.set(what + JSON.stringify(fields), answer);
}

/** Ask for something; `signal` gives up. Throws Refused. */
export async function ask(what, fields, signal) {
  const question = what + JSON.stringify(fields);
  const begun = awaited.get(question);
  awaited.delete(question);
  return begun ?? answered(await asked(what, fields, signal));
}

/** The same of a question that is answered in parts, each as soon as it is known. */
export async function* parts(what, fields, signal) {
  const response = await asked(what, fields, signal);
  if (!response.ok) await answered(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let done = false; !done;) {
    let value = "";
    ({ done, value = "" } = await reader.read());
    const lines = (text + value).split("\n");
    text = lines.pop();
    for (const line of lines) {
      const found = JSON.parse(line);
      if (found.error) throw new Refused(found.error);
      yield found;
    }
  }
}

async function asked(what, fields, signal) {
  try {
    return await fetch(`/api/${what}`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fields), signal,
    });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Refused({ kind: "server", message: "The server does not answer. Is it still running?" });
  }
}

async function answered(response) {
  let value;
  try {
    value = await response.json();
  } catch {
    throw new Refused({ kind: "server", message: `The server answers ${response.status} ${response.statusText}.` });
  }
  if (!response.ok) throw new Refused(value.error ?? { kind: "server", message: String(response.status) });
  return value;
}
