// How pieces get from one picture of a board to the next: they slide, turn over, come and go.

const MOST = 60;  // where more cells change, nothing moves

/** The pieces of a picture: a Map from the numbers of their cells to {kind, element}. */
export function standing(svg) {
  return new Map([...svg.querySelectorAll(".piece")].map((element) => [
    Number(element.dataset.cell), { kind: element.dataset.kind, element }]));
}

/** Where pieces went, [from, to] each, the other way round. */
export const backwards = (slid) => slid.filter(([, to]) => to >= 0).map(([from, to]) => [to, from]);

/**
 * What became of pieces between two pictures: `slid` [from, to], `turned`, `come` and `gone`, all by cell. A piece slid from
 * a cell that is empty now, if `known` does not say where pieces went; `where` gives the place of a cell.
 */
export function changes(before, after, where, known = []) {
  const differs = (one, other) => (cell) => one.get(cell)?.kind !== other.get(cell)?.kind;
  const told = known.filter(([from, to]) => before.has(from) && before.get(from).kind === after.get(to)?.kind);
  const [went, reached] = [new Set(told.map(([from]) => from)), new Set(told.map(([, to]) => to))];
  const left = [...before.keys()].filter((cell) => !went.has(cell) && (!after.has(cell) || reached.has(cell)));
  const come = [...after.keys()].filter((cell) => !reached.has(cell) && (differs(after, before)(cell) || went.has(cell)));
  const slid = [];
  const distance = (one, other) => Math.hypot(where(one)[0] - where(other)[0], where(one)[1] - where(other)[1]);
  const slide = (from, to) => {
    slid.push([from, to]);
    left.splice(left.indexOf(from), 1);
    come.splice(come.indexOf(to), 1);
  };
  for (const to of told.length ? [] : [...come]) {
    const sources = left.filter((from) => before.get(from).kind === after.get(to).kind);
    if (sources.length) slide(sources.reduce((one, other) => (distance(other, to) < distance(one, to) ? other : one)), to);
  }
  if (!told.length && left.length === 1 && come.length === 1) slide(left[0], come[0]);  // it changed on its way
  const stood = (cell) => before.has(cell) && !went.has(cell);
  const gone = [...left, ...slid.map(([, to]) => to).filter(stood)];
  return { slid: [...told, ...slid], turned: come.filter(stood), come: come.filter((cell) => !stood(cell)),
    gone: [...new Set(gone)] };
}

/** Whether anything changed that can be seen to move. */
export const few = ({ slid, turned, come, gone }) => {
  const count = slid.length + turned.length + come.length + gone.length;
  return count > 0 && count <= MOST;
};

/** Show changes as motion in so many ms; `ground` is where pieces lie that are no longer there. */
export function animate({ slid, turned, come, gone }, before, after, where, ground, duration) {
  const leaving = (cell, steps, length) => {
    const { element } = before.get(cell);
    ground.append(element);
    element.animate(steps, { duration: length, fill: "forwards", easing: "ease-in" }).finished.then(() => element.remove(), () => {});
  };
  const arriving = (cell, steps, delay = 0) => after.get(cell).element.animate(steps,
    { duration: duration - delay, delay, fill: "backwards", easing: "ease-out" });
  gone.forEach((cell) => leaving(cell, [{ opacity: 1 }, { opacity: 0, transform: "scale(.6)" }], duration));
  turned.forEach((cell) => {
    leaving(cell, [{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], duration / 2);
    arriving(cell, [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], duration / 2);
  });
  come.forEach((cell) => arriving(cell, [{ opacity: 0, transform: "scale(1.3)" }, { opacity: 1, transform: "scale(1)" }]));
  slid.forEach(([from, to]) => {
    const [[x, y], [toX, toY]] = [where(from), where(to)];
    after.get(to).element.parentNode.append(after.get(to).element);  // over what it passes
    arriving(to, [{ transform: `translate(${x - toX}px, ${y - toY}px)` }, { transform: "translate(0, 0)" }]);
  });
}

/** Show rows that slid under the pieces as motion in so many ms. */
export function shifted(before, after, duration) {
  [...after].forEach((bar, number) => {
    const [dx, dy] = ["x", "y"].map((side) => before[number].getAttribute(side) - bar.getAttribute(side));
    if (dx || dy) bar.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration, easing: "ease-out" });
  });
}
