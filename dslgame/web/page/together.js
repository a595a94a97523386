// A game that the server keeps: its seat, its stream of news, and the links for the others.
//
// It is shared by a link, or, with `kinds`, played on one screen: by a person or by several who take turns at it, each
// with a key, and by computers.

import { ask } from "./api.js";

const POLL = 4000;   // ms between two looks of a page that is not in front: browsers keep few streams to one server
const AGAIN = 2000;  // ms until a stream that the server refused is tried again

/** Share a game from where it is: its id and the key of each seat, which this browser keeps for the links of others. */
export async function share(fields) {
  const made = await ask("share", fields);
  if (!fields.seats) localStorage.setItem(`shared:${made.id}`, JSON.stringify(made.keys));
  return made;
}

/** The link of a seat, or with key null the one to watch. */
export function link(id, key) {
  return `${location.origin}${location.pathname}#${word(id, key ? [key] : [])}`;
}

const word = (id, keys) => `shared=${id}${keys.map((key) => `&key=${key}`).join("")}`;

export class Together {
  /** `news` is called with what the stream says, `lost` with whether the server does not answer. */
  constructor(id, given, { news, lost }) {
    Object.assign(this, { id, given, news, lost, seat: -2, kinds: null, present: [], watching: 0, moves: 0, nature: false,
      ended: false });
    this.key = given.length === 1 ? given[0] : null;  // several people begin with what all may see
    this.hands = new Map();  // the keys of this screen by their seats
    this.stream = null;
    this.timer = null;
    this.seen = () => this.listen();
  }

  get fragment() {
    return word(this.id, this.given);
  }

  /** The keys of all seats, where this browser shared the game. */
  get keys() {
    return JSON.parse(localStorage.getItem(`shared:${this.id}`) ?? "null");
  }

  ask(what, fields = {}) {
    return ask(`shared/${this.id}${what}`, { key: this.key, ...fields });
  }

  /** What the game is and which seat this is: {game, text, params, kinds, seat, moves}. */
  async join() {
    if (this.given.length > 1 && !this.hands.size) {
      for (const key of this.given) this.hands.set((await this.ask("", { key })).seat, key);
    }
    const found = await this.ask("");
    this.know(found);
    return found;
  }

  know({ seat = this.seat, kinds = this.kinds, present, watching, moves, nature }) {
    Object.assign(this, { seat, kinds, present, watching, moves, nature });
  }

  /** Whose turn it is to look at this screen: a seat; null for nobody, until the next one sits down; undefined for no change. */
  next({ to_move: mover, nature, over }) {
    if (this.hands.size < 2 || over || nature || mover === this.seat) return undefined;
    if (this.seat >= 0) return null;
    return this.hands.has(mover) ? mover : undefined;
  }

  /** Let the player of a seat look, or with null nobody. */
  sit(seat) {
    this.quiet();
    this.key = seat === null ? null : this.hands.get(seat);
  }

  /** Listen to what happens, from now on; also where the connection was lost, or the server is started again. */
  listen() {
    this.quiet();
    if (this.ended) return;
    document.addEventListener("visibilitychange", this.seen);
    if (document.hidden) {
      this.timer = setTimeout(() => this.look(), POLL);
      return;
    }
    const key = this.key ? `?key=${this.key}` : "";
    this.stream = new EventSource(`/api/shared/${this.id}/events${key}`);
    this.stream.onmessage = ({ data }) => {
      this.know(JSON.parse(data));
      this.lost(false);
      this.news();
    };
    this.stream.onerror = () => {
      this.lost(true);
      if (this.stream?.readyState === EventSource.CLOSED) this.timer = setTimeout(() => this.listen(), AGAIN);
    };
  }

  async look() {
    try {
      await this.join();
      this.news();
    } catch {
      this.lost(true);
    }
    this.listen();
  }

  quiet() {
    clearTimeout(this.timer);
    this.stream?.close();
    this.stream = null;
  }

  end() {
    this.ended = true;
    document.removeEventListener("visibilitychange", this.seen);
    this.quiet();
  }
}
