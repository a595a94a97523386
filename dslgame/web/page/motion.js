// How pieces get from one picture of a board to the next: they slide, turn over, come and go.

const MOST = 60;  // where more cells change, nothing moves

/** The pieces of a picture: a Map from the numbers of their cells to {kind, element}. */
export function standing(svg) {
  return new Map([...svg.querySelectorAll(".piece")].map((element) => [
    Number(element.dataset.cell), { kind: element.dataset.kind, element }]));
}

/**
 * What became of pieces between two pictures: `slid` [from, to], `turned`, `come` and `gone`, all by cell. A piece slid from
 * a cell that is empty now; `where` gives the place of a cell.
 */
export function changes(before, after, where) {
  const differs = (one, other) => (cell) => one.get(cell)?.kind !== other.get(cell)?.kind;
  const left = [...before.keys()].filter((cell) => !after.has(cell));
  const come = [...after.keys()].filter(differs(after, before));
  const slid = [];
  const distance = (one, other) => Math.hypot(where(one)[0] - where(other)[0], where(one)[1] - where(other)[1]);
  const slide = (from, to) => {
    slid.push([from, to]);
    left.splice(left.indexOf(from), 1);
    come.splice(come.indexOf(to), 1);
  };
  for (const to of [...come]) {
    const sources = left.filter((from) => before.get(from).kind === after.get(to).kind);
    if (sources.length) slide(sources.reduce((one, other) => (distance(other, to) < distance(one, to) ? other : one)), to);
  }
  if (left.length === 1 && come.length === 1) slide(left[0], come[0]);  // it changed on its way
  return { slid, turned: come.filter((cell) => before.has(cell)), come: come.filter((cell) => !before.has(cell)),
    gone: [...left, ...slid.map(([, to]) => to).filter((cell) => before.has(cell))] };
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
