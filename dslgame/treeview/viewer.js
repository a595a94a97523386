// A tree of boards that is looked at: pan and zoom, fold and unfold, search, best play.

/** Let a place (a document or a shadow root) with the elements of viewer.html show a tree, until `signal` ends it. */
export function view(place, data, signal) {
  const $ = (name) => place.querySelector("#" + name);
  const svg = $("tree");
  const hover = $("hover");
  const make = (tag, attributes, parent) => {
    const item = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const name in attributes) item.setAttribute(name, attributes[name]);
    if (parent) parent.appendChild(item);
    return item;
  };
  const folded = new Set();
  let part = data.parts[0];
  const trail = [];
  let box = null;
  let hits = [], hit = -1;
  let way = { nodes: new Set(), edges: new Set() };

  $("title").textContent = data.title;
  if (data.labelled) {
    for (const name in data.colours) {
      const item = document.createElement("span");
      const dot = document.createElement("i");
      dot.style.background = data.colours[name];
      item.append(dot, name);
      $("legend").append(item);
    }
  }
  $("best").hidden = data.best.length < 2;

  const children = () => {
    const found = new Map();
    for (const edge of part.edges) {
      if (!found.has(edge[0])) found.set(edge[0], []);
      found.get(edge[0]).push(edge);
    }
    return found;
  };

  // What the root leads to without going through a folded node.
  const visible = (below) => {
    const seen = new Set([part.root]);
    const waiting = [part.root];
    while (waiting.length) {
      const node = waiting.pop();
      if (folded.has(node)) continue;
      for (const edge of below.get(node) || []) {
        if (!seen.has(edge[1])) { seen.add(edge[1]); waiting.push(edge[1]); }
      }
    }
    return seen;
  };

  const images = data.boards.map((text) => "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text));
  const sides = data.boards.map((text) => {
    const found = /viewBox="[^ ]+ [^ ]+ ([^ ]+) ([^"]+)"/.exec(text);
    return [Number(found[1]), Number(found[2])];
  });
  const largest = Math.max(...sides.map((side) => Math.max(side[0], side[1])), 1e-9);

  const draw = () => {
    svg.replaceChildren();
    const below = children();
    const seen = visible(below);
    const lines = make("g", {}, svg), boards = make("g", {}, svg);
    const texts = part.edges.length <= 1500;
    for (const [source, target, moves, dropped] of part.edges) {
      if (!seen.has(source) || !seen.has(target) || folded.has(source)) continue;
      const [ax, ay] = part.places[source], [bx, by] = part.places[target];
      const on = way.edges.has(source + ">" + target);
      make("line", { x1: ax, y1: ay, x2: bx, y2: by,
        class: "edge" + (dropped ? " dropped" : "") + (on ? " way" : "") }, lines);
      if (texts) {
        const item = make("text", { x: (ax + 1.7 * bx) / 2.7, y: (ay + 1.7 * by) / 2.7, class: "moves" }, lines);
        item.textContent = moves;
      }
    }
    for (const node of seen) {
      const [x, y] = part.places[node], about = data.nodes[node];
      const group = make("g", { class: "node" + (way.nodes.has(node) ? " way" : "") + (hits.includes(node) ? " hit" : ""),
        "data-node": node }, boards);
      const [w, h] = sides[about.board].map((side) => 0.86 * side / largest);
      make("rect", { class: "frame", x: x - w / 2 - 0.05, y: y - h / 2 - 0.05, width: w + 0.1, height: h + 0.1, rx: 0.04,
        stroke: data.labelled ? data.colours[about.label] : "#bbb" }, group);
      make("image", { href: images[about.board], x: x - w / 2, y: y - h / 2, width: w, height: h }, group);
      const more = node in part.further;
      if (folded.has(node) || more) {
        const mark = make("text", { class: "mark", x, y: y + h / 2 + 0.22 }, group);
        mark.textContent = more ? "…" : "+";
      }
    }
    const away = part.further ? Object.keys(part.further).length : 0;
    $("about").textContent = `${seen.size} nodes shown, ${Object.keys(part.places).length} in this part, ` +
      `${data.size} in the tree` + (away ? `; cut here: ${away} nodes, marked …, go on` : "") +
      (data.cut ? `; ${data.cut}` : "");
    $("back").hidden = !trail.length;
  };

  const look = () => {
    svg.setAttribute("viewBox", box.join(" "));
    svg.classList.toggle("far", svg.clientWidth / box[2] < 14);  // too small to see a board: colours alone
  };
  const fit = () => {
    const shown = [...svg.querySelectorAll(".node")].map((item) => part.places[item.dataset.node]);
    const xs = shown.map((at) => at[0]), ys = shown.map((at) => at[1]);
    const left = Math.min(...xs) - 1, top = Math.min(...ys) - 1;
    box = [left, top, Math.max(...xs) + 1 - left, Math.max(...ys) + 1 - top];
    look();
  };
  const go = (number) => { part = data.parts[number]; way = { nodes: new Set(), edges: new Set() }; draw(); fit(); };

  // Pan and zoom.
  const point_ = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  };
  const zoom = (factor, x, y) => {
    box = [x - (x - box[0]) * factor, y - (y - box[1]) * factor, box[2] * factor, box[3] * factor];
    look();
  };
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, ...point_(event));
  }, { passive: false });
  let held = null, dragged = false;
  svg.addEventListener("pointerdown", (event) => { held = point_(event); dragged = false; });
  addEventListener("pointermove", (event) => {
    if (!held) return;
    const [x, y] = point_(event);
    if (Math.hypot(x - held[0], y - held[1]) > box[2] / 200) { dragged = true; svg.classList.add("moving"); }
    if (dragged) { box[0] += held[0] - x; box[1] += held[1] - y; look(); }
  }, { signal });
  addEventListener("pointerup", () => { held = null; svg.classList.remove("moving"); }, { signal });
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) { box[0] += step[0] * box[2] / 10; box[1] += step[1] * box[3] / 10; look(); event.preventDefault(); }
    if (event.key === "+" || event.key === "-") {
      zoom(event.key === "+" ? 1 / 1.2 : 1.2, box[0] + box[2] / 2, box[1] + box[3] / 2);
    }
  });

  // Boards on hover, the way from the root lit up.
  const nodeAt = (event) => {
    const item = event.target.closest && event.target.closest(".node");
    return item ? Number(item.dataset.node) : null;
  };
  const light = (nodes) => {
    way = { nodes: new Set(nodes), edges: new Set(nodes.slice(1).map((node, at) => nodes[at] + ">" + node)) };
    for (const item of svg.querySelectorAll(".node")) item.classList.toggle("way", way.nodes.has(Number(item.dataset.node)));
    draw();
  };
  const pathTo = (node) => {
    const before = new Map([[part.root, null]]);
    const waiting = [part.root], below = children();
    while (waiting.length && !before.has(node)) {
      const here = waiting.shift();
      for (const edge of below.get(here) || []) {
        if (!before.has(edge[1])) { before.set(edge[1], here); waiting.push(edge[1]); }
      }
    }
    const path = [];
    for (let here = node; here !== null && here !== undefined; here = before.get(here)) path.unshift(here);
    return path;
  };
  svg.addEventListener("pointermove", (event) => {
    const node = held ? null : nodeAt(event);
    hover.hidden = node === null;
    if (node === null) return;
    if (hover.dataset.node !== String(node)) {
      const about = data.nodes[node];
      hover.dataset.node = node;
      hover.innerHTML = data.boards[about.board];
      const words = document.createElement("div");
      const result = about.result ?? about.mover + " to move";
      const value = data.labelled ? `: ${about.label}` + (about.plies > 0 ? ` in ${about.plies} plies` : "") : "";
      words.textContent = `step ${about.step}, ${result}${value}` + (about.kind === "loop" ? ", comes back" : "");
      const text = document.createElement("code");
      text.textContent = about.text;
      hover.append(words, text);
    }
    const left = event.clientX + 18, top = event.clientY + 18;
    hover.style.left = Math.min(left, innerWidth - hover.offsetWidth - 8) + "px";
    hover.style.top = Math.max(8, Math.min(top, innerHeight - hover.offsetHeight - 8)) + "px";
  });
  svg.addEventListener("pointerleave", () => { hover.hidden = true; });
  svg.addEventListener("click", (event) => {
    const node = nodeAt(event);
    if (node === null || dragged) return;
    if (event.shiftKey) { light(pathTo(node)); return; }
    const further = part.further[node];
    if (further !== undefined && further > 0 && data.parts[further] && data.parts[further] !== part) {
      trail.push(data.parts.indexOf(part));
      go(further);
      return;
    }
    if (folded.has(node)) folded.delete(node); else if ((children().get(node) || []).length) folded.add(node);
    light(pathTo(node));
  });

  // Search.
  const unfoldTo = (node) => { for (const item of pathTo(node)) if (item !== node) folded.delete(item); };
  const centre = (node) => {
    const [x, y] = part.places[node];
    box = [x - box[2] / 2, y - box[3] / 2, box[2], box[3]];
    look();
  };
  const search = () => {
    const wanted = $("search").value.trim().toLowerCase();
    hits = []; hit = -1;
    if (wanted) {
      const moves = new Map();
      for (const edge of part.edges) moves.set(edge[1], (moves.get(edge[1]) || "") + " " + edge[2]);
      for (const name in part.places) {
        const about = data.nodes[name];
        const words = [about.text, about.label, about.kind, about.outcome || "", moves.get(Number(name)) || ""];
        if (words.some((text) => text.toLowerCase().includes(wanted))) hits.push(Number(name));
      }
    }
    $("found").textContent = wanted ? `${hits.length} found` : "";
    draw();
    step();
  };
  const step = () => {
    if (!hits.length) return;
    hit = (hit + 1) % hits.length;
    unfoldTo(hits[hit]);
    light(pathTo(hits[hit]));
    centre(hits[hit]);
  };
  $("search").addEventListener("input", search);
  $("next").addEventListener("click", step);
  $("best").addEventListener("click", () => {
    if (part !== data.parts[0]) { trail.length = 0; go(0); }
    const shown = data.best.filter((node) => node in part.places);
    for (const node of shown) folded.delete(node);
    light(shown);
  });
  $("foldall").addEventListener("click", () => {
    for (const node of children().keys()) if (node !== part.root) folded.add(node);
    draw(); fit();
  });
  $("unfoldall").addEventListener("click", () => { folded.clear(); draw(); fit(); });
  $("fit").addEventListener("click", fit);
  $("back").addEventListener("click", () => { if (trail.length) go(trail.pop()); });

  if (Object.keys(part.places).length > 300) {  // much at once: begin with two levels
    const below = children();
    for (const edge of below.get(part.root) || []) if ((below.get(edge[1]) || []).length) folded.add(edge[1]);
  }
  draw();
  fit();
}
