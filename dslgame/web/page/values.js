// What moves are worth, in words and as short labels, seen by the player to move.

const FORCED = 1e8;  // scores beyond are ends that a search saw

/** A value {winner, plies, estimate, score}, or with a probability by a strategy, as {kind, label, words, rank}; null where nothing is known. `alone` where there is one player, who has lost what is not won. */
export function worth(value, mover, alone) {
  if (!value) return null;
  const { winner, plies, estimate, score, probability } = value;
  if (probability !== null && probability !== undefined) {
    const percent = Math.round(probability * 100);
    return { kind: "mixed", label: `${percent}%`, words: `${percent} % of the time, by a strategy`, rank: probability - 0.5 };
  }
  if (winner === null || winner === undefined) {
    if (score !== null && score !== undefined) {
      const sign = `${score > 0 ? "+" : ""}${score}`;
      if (Math.abs(score) >= FORCED) return { kind: "guess", label: score > 0 ? "W?" : "L?", words: score > 0 ? "wins, it seems" : "loses, it seems", rank: score / 1e4 };
      return { kind: "guess", label: sign, words: `${sign} by the game's value`, rank: score / 1e4 };
    }
    if (estimate === null || estimate === undefined) return null;
    const percent = Math.round(estimate * 100);
    return { kind: "guess", label: `${percent}%`, words: `about ${percent} % of games won`, rank: estimate - 0.5 };
  }
  const within = plies === null || plies === undefined ? "" : ` in ${plies} ${plies === 1 ? "ply" : "plies"}`;
  if (winner === mover) return { kind: "win", label: `W${plies ?? ""}`, words: `wins${within}`, result: `win${within}`, rank: 1e6 - (plies ?? 0) };
  if (winner === -1 && alone) return { kind: "loss", label: "L", words: "cannot win", result: "loss", rank: -1e6 };
  if (winner === -1) return { kind: "draw", label: `D${plies ?? ""}`, words: `draw${within}`, result: "draw", rank: 0 };
  if (winner < -1) return { kind: "guess", label: "?", words: "a choice between equal results decides who wins", result: "open", rank: -1 };
  return { kind: "loss", label: `L${plies ?? ""}`, words: `loses${within}`, result: `loss${within}`, rank: -1e6 + (plies ?? 0) };
}

/** The best for the mover among some worths; null where one of them is not known and none wins. */
export function best(worths) {
  const known = worths.filter(Boolean);
  if (!known.length) return null;
  const top = known.reduce((one, other) => (other.rank > one.rank ? other : one));
  return known.length === worths.length || top.kind === "win" ? top : null;
}

const EVEN = 20;  // a lead by this much, by a game's value, fills half of what is left of the bar

/** The mover's part of a bar, 0 to 1. */
export function share({ kind, rank, label }) {
  if (kind !== "guess") return { win: 1, draw: 0.5, loss: 0 }[kind];
  if (label.endsWith("%")) return rank + 0.5;
  const lead = rank * 1e4;
  return 0.5 + lead / (2 * (Math.abs(lead) + EVEN));
}

const MOST_LABELS = 40;  // of more cells only the best few have their worth as a label
const FEW_LABELS = 8;

/** Give each of the worths on a board its `heat`, from 0 for the worst to 1 for the best; where they are many, few labels. */
export function warm(targets) {
  const guesses = [...targets.values()].filter((item) => item?.kind === "guess").sort((a, b) => b.rank - a.rank);
  if (!guesses.length) return;
  const [most, least] = [guesses[0].rank, guesses.at(-1).rank];
  const labelled = targets.size > MOST_LABELS ? FEW_LABELS : guesses.length;  // of equal ones the first have labels
  guesses.forEach((item, place) => {
    item.heat = most > least ? (item.rank - least) / (most - least) : 1;
    item.bare = place >= labelled;
  });
}
