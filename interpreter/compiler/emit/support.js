// What compiled games are made of: words of 64 bits as pairs of 32-bit integers, rows, random numbers, and the class
// Game, which pages and programs use. `dslgame compile --target javascript` puts this text into each module it writes.
//
// A word is two numbers from -2**31 to 2**31 - 1, its lower and its upper half. A row is an Int32Array with both halves
// of each of its words or numbers. A function that gives several numbers gives back the first; the others are in
// r1, r2, ... until the next call.

/** The second number that a function gives. */
export let r1 = 0;

const TWO_32 = 4294967296;

// ---- numbers: safe integers

/** The upper half of a number; its lower half is `value | 0`.
 * @param {number} value @returns {number} */
export function high(value) {
  return (value | 0) === value ? value >> 31 : Math.floor(value / TWO_32) | 0;
}

/** The number that stands for none where a number is wanted: a power of two, which is exact. */
const NO_NUMBER = -(2 ** 62);

/** A word as a number. Throws RangeError where it is no safe integer: a mistake in what was compiled.
 * @param {number} low @param {number} high @returns {number} */
export function number(low, high) {
  if (high === low >> 31) return low;
  const found = high * TWO_32 + (low >>> 0);
  if (!Number.isSafeInteger(found) && found !== NO_NUMBER) throw new RangeError(`${toBigInt(low, high)} is too large for a number`);
  return found;
}

/** The number at a place of a row. Throws RangeError as `number` does.
 * @param {Int32Array} row @param {number} place @returns {number} */
export function get(row, place) {
  return number(row[2 * place], row[2 * place + 1]);
}

/** Put a number at a place of a row.
 * @param {Int32Array} row @param {number} place @param {number} value */
export function set(row, place, value) {
  row[2 * place] = value;
  row[2 * place + 1] = high(value);
}

/** @param {number} a @param {number} b @returns {number} the quotient, rounded down */
export function quotient(a, b) {
  return Math.floor(a / b);
}

/** @param {number} a @param {number} b @returns {number} the remainder, with the sign of the divisor */
export function remainder(a, b) {
  const found = a % b;
  return found !== 0 && found < 0 !== b < 0 ? found + b : found + 0;
}

/** @param {number} a @returns {boolean} whether bit operations take a number as it is */
function isSmall(a) {
  return (a | 0) === a;
}

/** @param {bigint} value @returns {number} */
function signed(value) {
  return Number(BigInt.asIntN(64, value));
}

/** @param {number} a @param {number} b @returns {number} */
export function intAnd(a, b) {
  return isSmall(a) && isSmall(b) ? a & b : signed(BigInt(a) & BigInt(b));
}

/** @param {number} a @param {number} b @returns {number} */
export function intOr(a, b) {
  return isSmall(a) && isSmall(b) ? a | b : signed(BigInt(a) | BigInt(b));
}

/** @param {number} a @param {number} b @returns {number} */
export function intXor(a, b) {
  return isSmall(a) && isSmall(b) ? a ^ b : signed(BigInt(a) ^ BigInt(b));
}

/** @param {number} a @param {number} b @returns {number} */
export function intLeft(a, b) {
  return a >= 0 && a < 32768 && b < 16 ? a << b : signed(BigInt(a) << BigInt(b));
}

/** @param {number} a @param {number} b @returns {number} */
export function intRight(a, b) {
  return isSmall(a) ? a >> (b < 31 ? b : 31) : Math.floor(a / 2 ** b);
}

// ---- numbers of up to 64 bits, as BigInts: of games in which a number can be past 2**53 - 1

/** A word as a number.
 * @param {number} low @param {number} high @returns {bigint} */
export function bigNumber(low, high) {
  return (BigInt(high) << 32n) | BigInt(low >>> 0);
}

/** The number at a place of a row.
 * @param {Int32Array} row @param {number} place @returns {bigint} */
export function getBig(row, place) {
  return bigNumber(row[2 * place], row[2 * place + 1]);
}

/** @param {bigint} value @returns {number} its lower half */
export function bigLow(value) {
  return Number(BigInt.asIntN(32, value));
}

/** @param {bigint} value @returns {number} its upper half */
export function bigHigh(value) {
  return Number(BigInt.asIntN(32, value >> 32n));
}

/** @param {bigint} a @param {bigint} b @returns {bigint} the quotient, rounded down */
export function bigQuotient(a, b) {
  return (a - bigRemainder(a, b)) / b;
}

/** @param {bigint} a @param {bigint} b @returns {bigint} the remainder, with the sign of the divisor */
export function bigRemainder(a, b) {
  const found = a % b;
  return found !== 0n && found < 0n !== b < 0n ? found + b : found;
}

/** @param {bigint} a @param {bigint} b @returns {bigint} */
export function bigLeft(a, b) {
  return BigInt.asIntN(64, a << b);
}

/** @param {bigint} a @returns {bigint} */
export function bigAbs(a) {
  return a < 0n ? -a : a;
}

/** @param {bigint} a @param {bigint} b @returns {bigint} */
export function bigMin(a, b) {
  return a < b ? a : b;
}

/** @param {bigint} a @param {bigint} b @returns {bigint} */
export function bigMax(a, b) {
  return a > b ? a : b;
}

/** A number of the rules, as a BigInt where it is no safe integer.
 * @param {bigint} value @returns {number | bigint} */
function plain(value) {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

// ---- words

/** @param {number} low @param {number} high @returns {bigint} from 0 to 2**64 - 1 */
export function toBigInt(low, high) {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** @param {bigint} value @returns {number} the lower half; the upper half is in r1 */
export function fromBigInt(value) {
  r1 = Number(BigInt.asIntN(32, value >> 32n));
  return Number(BigInt.asIntN(32, value));
}

/** @param {number} n @returns {number} */
export function bitLow(n) {
  return n < 32 ? 1 << n : 0;
}

/** @param {number} n @returns {number} */
export function bitHigh(n) {
  return n < 32 ? 0 : 1 << (n - 32);
}

/** @param {number} low @param {number} n @returns {number} */
export function leftLow(low, n) {
  return n < 32 ? low << n : 0;
}

/** @param {number} low @param {number} high @param {number} n @returns {number} */
export function leftHigh(low, high, n) {
  return n === 0 ? high : n < 32 ? (high << n) | (low >>> (32 - n)) : n < 64 ? low << (n - 32) : 0;
}

/** @param {number} low @param {number} high @param {number} n @returns {number} */
export function rightLow(low, high, n) {
  return n === 0 ? low : n < 32 ? (low >>> n) | (high << (32 - n)) : n < 64 ? (high >>> (n - 32)) | 0 : 0;
}

/** @param {number} high @param {number} n @returns {number} */
export function rightHigh(high, n) {
  return n < 32 ? (high >>> n) | 0 : 0;
}

/** The upper half of the product of two halves, both taken without a sign.
 * @param {number} a @param {number} b @returns {number} from 0 to 2**32 - 1 */
function upper(a, b) {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  const other = a0 * b1 + (middle & 0xffff);
  return a1 * b1 + Math.floor(middle / 65536) + Math.floor(other / 65536);
}

/** The upper half of the product of two words; the lower half is Math.imul of their lower halves.
 * @param {number} low @param {number} high @param {number} low2 @param {number} high2 @returns {number} */
export function timesHigh(low, high, low2, high2) {
  return (upper(low, low2) + Math.imul(low, high2) + Math.imul(high, low2)) | 0;
}

/** @param {number} low @param {number} high @param {number} low2 @param {number} high2 @returns {number} */
export function wordQuotient(low, high, low2, high2) {
  return fromBigInt(toBigInt(low, high) / toBigInt(low2, high2));
}

/** @param {number} low @param {number} high @param {number} low2 @param {number} high2 @returns {number} */
export function wordRemainder(low, high, low2, high2) {
  return fromBigInt(toBigInt(low, high) % toBigInt(low2, high2));
}

/** Whether a word is less than another.
 * @param {number} low @param {number} high @param {number} low2 @param {number} high2 @returns {boolean} */
export function wordLess(low, high, low2, high2) {
  return high === high2 ? low >>> 0 < low2 >>> 0 : high >>> 0 < high2 >>> 0;
}

/** How many bits of a half are set.
 * @param {number} half @returns {number} */
function bits(half) {
  half -= (half >>> 1) & 0x55555555;
  half = (half & 0x33333333) + ((half >>> 2) & 0x33333333);
  return Math.imul((half + (half >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How many cells a word has.
 * @param {number} low @param {number} high @returns {number} */
export function popcount(low, high) {
  return bits(low) + bits(high);
}

/** The first cell of a word; the word has one.
 * @param {number} low @param {number} high @returns {number} */
export function lowest(low, high) {
  return low !== 0 ? 31 - Math.clz32(low & -low) : 63 - Math.clz32(high & -high);
}

/** The last cell of a word; the word has one.
 * @param {number} low @param {number} high @returns {number} */
export function highest(low, high) {
  return high !== 0 ? 63 - Math.clz32(high) : 31 - Math.clz32(low);
}

/** The cell of a word with so many before it.
 * @param {number} low @param {number} high @param {number} place @returns {number} */
export function nth(low, high, place) {
  const first = bits(low);
  let half = low;
  let base = 0;
  if (place >= first) {
    place -= first;
    half = high;
    base = 32;
  }
  for (; place > 0; place--) half &= half - 1;
  return base + 31 - Math.clz32(half & -half);
}

/** The bits of a word where a mask has some, put together.
 * @param {number} low @param {number} high @param {number} maskLow @param {number} maskHigh @returns {number} */
export function extract(low, high, maskLow, maskHigh) {
  let found = 0;
  let place = 0;
  for (; maskLow !== 0; maskLow &= maskLow - 1) {
    if ((low & maskLow & -maskLow) !== 0) found |= 1 << place;
    place += 1;
  }
  let above = 0;
  for (; maskHigh !== 0; maskHigh &= maskHigh - 1) {
    if ((high & maskHigh & -maskHigh) !== 0) {
      if (place < 32) found |= 1 << place;
      else above |= 1 << (place - 32);
    }
    place += 1;
  }
  r1 = above;
  return found;
}

/** The first bits of a word, each put where a mask has one.
 * @param {number} low @param {number} high @param {number} maskLow @param {number} maskHigh @returns {number} */
export function deposit(low, high, maskLow, maskHigh) {
  let found = 0;
  let place = 0;
  for (; maskLow !== 0; maskLow &= maskLow - 1) {
    if ((low >>> place) & 1) found |= maskLow & -maskLow;
    place += 1;
  }
  let above = 0;
  for (; maskHigh !== 0; maskHigh &= maskHigh - 1) {
    if ((place < 32 ? low >>> place : high >>> (place - 32)) & 1) above |= maskHigh & -maskHigh;
    place += 1;
  }
  r1 = above;
  return found;
}

// ---- random numbers: SplitMix64 (Steele, Lea and Flood, 2014)

/** The next word of a random sequence after a word.
 * @param {number} low @param {number} high @returns {number} */
export function scramble(low, high) {
  let a = low ^ ((low >>> 30) | (high << 2));
  let b = high ^ (high >>> 30);
  let above = timesHigh(a, b, 0x1ce4e5b9, 0xbf58476d);
  a = Math.imul(a, 0x1ce4e5b9);
  b = above ^ (above >>> 27);
  a ^= (a >>> 27) | (above << 5);
  above = timesHigh(a, b, 0x133111eb, 0x94d049bb);
  a = Math.imul(a, 0x133111eb);
  r1 = above ^ (above >>> 31);
  return a ^ ((a >>> 31) | (above << 1));
}

/** The state of a random sequence after one step.
 * @param {number} low @param {number} high @returns {number} */
export function stir(low, high) {
  const sum = (low + 0x7f4a7c15) | 0;
  r1 = (high + 0x9e3779b9 + (sum >>> 0 < low >>> 0 ? 1 : 0)) | 0;
  return sum;
}

/** A number from 0 to limit - 1 made of a random word; limit is below 2**32.
 * @param {number} low @param {number} high @param {number} limit @returns {number} */
export function below(low, high, limit) {
  return upper(high, limit);
}

// ---- rows

/** @param {number} width @returns {Int32Array} a row of words, all 0 */
export function row(width) {
  return new Int32Array(2 * width);
}

/** @param {number} count @param {number} width @returns {Int32Array[]} rows of words, all 0 */
export function rows(count, width) {
  const whole = new Int32Array(2 * count * width);
  return Array.from({ length: count }, (_, k) => whole.subarray(2 * width * k, 2 * width * (k + 1)));
}

/** @param {number} width @returns {Int32Array} a row of numbers, all 0 */
export function line(width) {
  return row(width);
}

/** @param {number} count @param {number} width @returns {Int32Array[]} rows of numbers, all 0 */
export function numbers(count, width) {
  return rows(count, width);
}

// ---- sets of many words: arrays of halves that nothing changes; small typed arrays take V8 longer to make

/** @param {...number} parts @returns {number[]} a set of its words' halves */
export function of_words(...parts) {
  return parts;
}

/** @param {number[]} a @param {number[]} b @returns {number[]} what is in one of two sets */
export function either(a, b) {
  const found = new Array(a.length).fill(0);
  for (let k = 0; k < found.length; k++) found[k] = a[k] | b[k];
  return found;
}

/** @param {number[]} a @param {number[]} b @returns {number[]} what is in both of two sets */
export function both(a, b) {
  const found = new Array(a.length).fill(0);
  for (let k = 0; k < found.length; k++) found[k] = a[k] & b[k];
  return found;
}

/** @param {number[]} a @param {number[]} b @returns {number[]} what is in a and not in b */
export function minus(a, b) {
  const found = new Array(a.length).fill(0);
  for (let k = 0; k < found.length; k++) found[k] = a[k] & ~b[k];
  return found;
}

/** @param {number[]} a @returns {boolean} whether a set has a cell */
export function some(a) {
  for (let k = 0; k < a.length; k++) if (a[k] !== 0) return true;
  return false;
}

/** @param {number[]} a @param {number[]} b @returns {boolean} whether two sets are the same */
export function equal(a, b) {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

/** @param {number[]} a @returns {number} how many cells a set has */
export function count(a) {
  let found = 0;
  for (let k = 0; k < a.length; k++) found += bits(a[k]);
  return found;
}

/** The set of one cell, with as many words as another set.
 * @param {number} c @param {number[]} like @returns {number[]} */
export function single(c, like) {
  const found = new Array(like.length).fill(0);
  found[c >> 5] = 1 << (c & 31);
  return found;
}

/** A set shifted by so many cells in board order.
 * @param {number[]} a @param {number} by @returns {number[]} */
export function shift(a, by) {
  const found = new Array(a.length).fill(0);
  const halves = Math.floor(by / 32);
  const left = by - 32 * halves;
  for (let k = 0; k < found.length; k++) {
    const from = k - halves;
    const here = from >= 0 && from < a.length ? a[from] : 0;
    const before = from >= 1 && from <= a.length ? a[from - 1] : 0;
    found[k] = left === 0 ? here : (here << left) | (before >>> (32 - left));
  }
  return found;
}

/** The set that begins at a place of a row or table, with as many words as another set.
 * @param {Int32Array} row @param {number} at @param {number[]} like @returns {number[]} */
export function read(row, at, like) {
  const found = new Array(like.length).fill(0);
  for (let k = 0; k < found.length; k++) found[k] = row[2 * at + k];
  return found;
}

/** Put a set into a row, from a place on.
 * @param {Int32Array} row @param {number} at @param {number[]} a */
export function write(row, at, a) {
  for (let k = 0; k < a.length; k++) row[2 * at + k] = a[k];
}

// ---- games

/** A rule that fails in play: its code is one of those that the documentation of dslgame lists. */
export class RuleError extends Error {
  /** @param {string} code */
  constructor(code) {
    super(/^G\d+$/.test(code) ? `a rule fails in play: ${code}` : `this cannot be played: ${code}`);
    this.name = "RuleError";
    this.code = code;
  }
}

/**
 * A move: the number of its rule among those of the game (-1: a pass, -2: an exchange of sides) and its values in order.
 * @typedef {{rule: number, values: readonly number[]}} Move
 */

/**
 * What a value of a move is: "cell", "piece", "player", "direction", "boolean", "number", or the names of all values.
 * @typedef {string | readonly string[]} Sort
 */

/**
 * A part of a notation: text; which of a move's values stands there, with a style for numbers ("a" and "A": in letters,
 * "1": counted from 1); or texts by some of a move's values, of which the last changes first.
 * @typedef {string | {value: number, style: string} |
 *   {by: readonly {value: number, low: number, size: number}[], texts: readonly string[]}} Part
 */

/**
 * How the moves of a rule go on: by which rule, how many of its values are given to it and which ([place among the
 * values here, place there]), and where the part of its notation begins that further values are written by.
 * @typedef {{rule: number, count: number, given: readonly (readonly [number, number])[], rest: number}} Onward
 */

/**
 * A step of a move: its rule, the values of the rule so far, where those begin that are its own, and its notation.
 * @typedef {{rule: number, values: readonly number[], first: number, notation: readonly Part[] | null}} Step
 */

/**
 * What is known of a game besides its functions: the names of what it is made of, and where it stands in rows.
 * @typedef {object} Facts
 * @property {string} title
 * @property {Readonly<Record<string, number>>} params
 * @property {readonly string[]} players
 * @property {readonly {name: string, glyph: string, sign: string}[]} pieces the first is the empty cell; the sign stands
 *   for it in moves
 * @property {readonly string[]} cells
 * @property {readonly (readonly [number, number])[]} places the centre of each cell, x to the right, y down
 * @property {readonly string[]} directions
 * @property {readonly {name: string, values: readonly Sort[], notation: readonly Part[] | null,
 *   onward: Onward | null}[]} rules how their moves are written; null where that takes more than their values
 * @property {string} passing how a pass is written
 * @property {string} swapping how an exchange of sides is written
 * @property {readonly {name: string, start: number, none: readonly number[]}[]} variables
 * @property {{start: number, parts: number, bits: number}} piles where rows hold what lies under the tops of piles
 * @property {readonly number[]} start the row of the start, as halves
 * @property {readonly string[]} failures
 * @property {{words: number, toMove: number, outcome: number, failed: number, entryWidth: number, moveWidth: number}}
 *   layout
 */

/**
 * The functions of a compiled game.
 * @typedef {object} Kernel
 * @property {(position: Int32Array, entries: Int32Array[], moves: Int32Array[]) => number} list_moves
 * @property {(position: Int32Array, move: Int32Array, entries: Int32Array[]) => number} apply_move
 * @property {(position: Int32Array, seed: number, seedHigh: number, limit: number, entries: Int32Array[]) => number}
 *   play_out
 */

/** 0, 1, ... as a, b, ..., z, aa, ab, ...
 * @param {number} value @param {string} first @returns {string} */
function letters(value, first) {
  let text = "";
  for (let left = value + 1; left > 0; left = Math.floor((left - 1) / 26)) {
    text = String.fromCharCode(first.charCodeAt(0) + ((left - 1) % 26)) + text;
  }
  return text;
}

const GOING = -2;
const MOST_ROOM = 1 << 20;

/** A compiled game. Positions are rows, which its methods never change: they give new ones. */
export class Game {
  #kernel;
  #facts;
  #room = 256;
  /** @type {Int32Array[]} */
  #entries = [];
  /** @type {Int32Array[]} */
  #moves = [];

  /** @param {Kernel} kernel @param {Facts} facts */
  constructor(kernel, facts) {
    this.#kernel = kernel;
    this.#facts = facts;
    this.title = facts.title;
    this.params = facts.params;
    this.players = facts.players;
    this.pieces = facts.pieces;
    this.cells = facts.cells;
    this.places = facts.places;
    this.rules = facts.rules;
    this.variables = facts.variables;
  }

  /** @returns {Int32Array} the position that the game starts from */
  start() {
    return Int32Array.from(this.#facts.start);
  }

  /** The legal moves, in the order of dslgame.
   * @param {Int32Array} position @returns {Move[]} */
  legal(position) {
    for (;;) {
      const there = position.slice();
      this.#makeRoom();
      const many = this.#kernel.list_moves(there, this.#entries, this.#moves);
      if (this.#isDone(there)) return this.#moves.slice(0, many).map((found) => this.#decoded(found));
    }
  }

  /** The position after a move. Throws Error where the rules take the move back; the move must be one that is offered.
   * @param {Int32Array} position @param {Move} move @returns {Int32Array} */
  play(position, move) {
    const coded = row(this.#facts.layout.moveWidth);
    [move.rule, move.values.length, ...move.values].forEach((value, place) => set(coded, place, value));
    for (;;) {
      const after = position.slice();
      this.#makeRoom();
      const code = this.#kernel.apply_move(after, coded, this.#entries);
      if (!this.#isDone(after)) continue;
      if (code !== 0) throw new Error(`the move ${this.text(move)} is illegal`);
      return after;
    }
  }

  /** The position after random moves, at most so many, and how many were made.
   * @param {Int32Array} position @param {bigint | number} seed @param {number} [limit]
   * @returns {{position: Int32Array, plies: number}} */
  playOut(position, seed, limit = 2 ** 30) {
    const word = BigInt.asUintN(64, BigInt(seed));
    const low = fromBigInt(word);
    const above = r1;
    for (;;) {
      const after = position.slice();
      this.#makeRoom();
      const plies = this.#kernel.play_out(after, low, above, limit, this.#entries);
      if (this.#isDone(after)) return { position: after, plies };
    }
  }

  /** @param {Int32Array} position @returns {number | null} the player to move; null where the game is over */
  toMove(position) {
    return this.isOver(position) ? null : get(position, this.#facts.layout.toMove);
  }

  /** @param {Int32Array} position @returns {boolean} */
  isOver(position) {
    return get(position, this.#facts.layout.outcome) !== GOING;
  }

  /** @param {Int32Array} position @returns {number | null} the winner; -1: a draw; null while the game goes on */
  outcome(position) {
    const found = get(position, this.#facts.layout.outcome);
    return found === GOING ? null : found;
  }

  /** @param {Int32Array} position @returns {number[]} the piece on each cell, 0 where it is empty */
  board(position) {
    const { words } = this.#facts.layout;
    return this.cells.map((_, cell) => {
      const place = 2 * (cell >> 6) + ((cell >> 5) & 1);
      return this.pieces.findIndex((_, piece) => (position[2 * words * piece + place] >>> (cell & 31)) & 1);
    });
  }

  /** @param {Int32Array} position @returns {number[][]} the pieces on each cell, the lowest first */
  piles(position) {
    const { start, parts, bits } = this.#facts.piles;
    return this.board(position).map((top, cell) => {
      const found = top ? [top] : [];
      for (let part = 0; part < parts; part += 1) {
        let left = get(position, start + part * this.cells.length + cell);
        for (; left > 0; left = Math.floor(left / 2 ** bits)) found.push(left % 2 ** bits);
      }
      return found.reverse();
    });
  }

  /** The values of a variable; null for none, a BigInt where a value is no safe integer.
   * @param {Int32Array} position @param {string} name @returns {(number | bigint | null)[]} */
  values(position, name) {
    const found = this.variables.find((variable) => variable.name === name);
    if (found === undefined) throw new Error(`${this.title} has no variable '${name}'`);
    return found.none.map((none, place) => {
      const value = getBig(position, found.start + place);
      return value === BigInt(none) ? null : plain(value);
    });
  }

  /** A move as the game writes it; where that takes more than the move's values, its rule and its values.
   * @param {Move} move @returns {string} */
  text({ rule, values }) {
    if (rule < 0) return rule === -1 ? this.#facts.passing : this.#facts.swapping;
    const steps = this.#steps(rule, values);
    const named = (/** @type {Step} */ step, /** @type {number} */ place, style = "") => (
      this.#valueText(step.values[place], this.rules[step.rule].values[place], style));
    if (steps.some((step) => step.notation === null)) {
      const own = steps.flatMap((step) => step.values.slice(step.first).map((_, k) => named(step, step.first + k)));
      return [this.rules[rule].name, ...own].join(" ");
    }
    return steps.map((step) => this.#stepText(step, (place, style) => named(step, place, style))).join("");
  }

  /** A step by its notation.
   * @param {Step} step @param {(place: number, style: string) => string} named @returns {string} */
  #stepText({ values, notation }, named) {
    const parts = notation ?? [];
    const made = (/** @type {number} */ place) => place < values.length;
    const unmade = parts.findIndex((part) => typeof part !== "string" && !(
      "style" in part ? made(part.value) : part.by.every(({ value }) => made(value))));
    const before = unmade > 0 && typeof parts[unmade - 1] === "string" ? unmade - 1 : unmade;
    return (unmade < 0 ? parts : parts.slice(0, before)).map((part) => {
      if (typeof part === "string") return part;
      if ("style" in part) return named(part.value, part.style);
      return part.texts[part.by.reduce((at, { value, low, size }) => at * size + values[value] - low, 0)];
    }).join("");
  }

  /** The steps of a move: one, or several where it goes on by a rule.
   * @param {number} rule @param {readonly number[]} values @returns {Step[]} */
  #steps(rule, values) {
    /** @type {Step[]} */
    const found = [];
    /** @type {number[]} */
    let given = [];
    for (let at = 0, number = rule, rest = 0; ;) {
      const { values: sorts, notation, onward } = this.rules[number];
      const first = given.length;
      const bound = [...given, ...values.slice(at, at + sorts.length - first)];
      found.push({ rule: number, values: bound, first, notation: notation && notation.slice(rest) });
      at += sorts.length - first;
      if (!onward || at >= values.length) return found;
      given = new Array(onward.count).fill(-1);
      onward.given.forEach(([from, to]) => { given[to] = bound[from]; });
      number = onward.rule;
      rest = onward.rest;
    }
  }

  /** @param {number} value @param {Sort | undefined} sort @param {string} style @returns {string} */
  #valueText(value, sort, style) {
    const { cells, pieces, players, directions } = this.#facts;
    if (sort !== undefined && typeof sort !== "string") return sort[value];
    if (sort === "cell") return cells[value];
    if (sort === "piece") return pieces[value].sign;
    if (sort === "player") return players[value];
    if (sort === "direction") return directions[value];
    if (sort === "boolean") return value ? "yes" : "no";
    if (style === "a" || style === "A") return letters(value, style);
    return String(style === "1" ? value + 1 : value);
  }

  /** The board as text, seen from above: the glyph of the piece on each cell, and of each pile a line below.
   * @param {Int32Array} position @returns {string} */
  drawing(position) {
    const board = this.board(position);
    const left = Math.min(...this.places.map(([x]) => x));
    /** @type {Map<number, string[]>} */
    const lines = new Map();
    this.places.forEach(([x, y], cell) => {
      const line = lines.get(y) ?? [];
      lines.set(y, line);
      const column = Math.round(2 * (x - left));
      while (line.length < column) line.push(" ");
      line[column] = this.pieces[board[cell]].glyph;
    });
    const sorted = [...lines].sort(([one], [other]) => one - other);
    const below = this.piles(position).map((pile, cell) => (
      pile.length > 1 ? [`${this.cells[cell]}: ${pile.map((piece) => this.pieces[piece].glyph).join(" ")}`] : []));
    return [...sorted.map(([, line]) => line.join("")), ...below.flat()].join("\n");
  }

  /** @param {Int32Array} found @returns {Move} */
  #decoded(found) {
    const values = Array.from({ length: get(found, 1) }, (_, place) => get(found, 2 + place));
    return Object.freeze({ rule: get(found, 0), values: Object.freeze(values) });
  }

  #makeRoom() {
    if (this.#moves.length === this.#room) return;
    this.#entries = numbers(this.#room, this.#facts.layout.entryWidth);
    this.#moves = numbers(this.#room, this.#facts.layout.moveWidth);
  }

  /** Whether nothing failed; where there was no room for the moves, there is more next time.
   * @param {Int32Array} position @returns {boolean} */
  #isDone(position) {
    const { failed } = this.#facts.layout;
    const code = get(position, failed);
    if (code === 0) return true;
    set(position, failed, 0);
    if (code > 1 || this.#room >= MOST_ROOM) throw new RuleError(this.#facts.failures[code]);
    this.#room *= 4;
    return false;
  }
}
