// Small helpers for making elements and finding them.

export const $ = (id) => document.getElementById(id);

/** An element with attributes (`on...` are listeners, null leaves one out) and children, which may be texts. */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for SVG. */
export function s(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A picture as the server gives it, as an SVG element. */
export function picture({ body, box }, attributes = {}) {
  const svg = s("svg", { viewBox: box.join(" "), "font-family": "DejaVu Sans, Verdana, sans-serif", ...attributes });
  const group = s("g", { class: "picture" });
  group.innerHTML = body;
  svg.append(group);
  return svg;
}

/** Copy a text; true where the browser let it. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copy a text, and say so on the button that was pressed. */
export async function copied(button, text) {
  const label = button.textContent;
  button.textContent = await copy(text) ? "Copied" : "The browser does not allow that";
  setTimeout(() => { button.textContent = label; }, 1500);
}

/** Let the browser save a text as a file. */
export function download(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
