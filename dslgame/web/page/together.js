// A game shared by a link: its seat, its stream of news, and the links for the others.

import { ask } from "./api.js";

const POLL = 4000;   // ms between two looks of a page that is not in front: browsers keep few streams to one server
const AGAIN = 2000;  // ms until a stream that the server refused is tried again

/** Share a game from where it is: its id and the key of each seat, which this browser keeps for its links. */
export async function share(fields) {
  const made = await ask("share", fields);
  localStorage.setItem(`shared:${made.id}`, JSON.stringify(made.keys));
  return made;
}

/** The link of a seat, or with key null the one to watch. */
export function link(id, key) {
  return `${location.origin}${location.pathname}#${word(id, key)}`;
}

const word = (id, key) => `shared=${id}${key ? `&key=${key}` : ""}`;

export class Together {
  /** `news` is called with what the stream says, `lost` with whether the server does not answer. */
  constructor(id, key, { news, lost }) {
    Object.assign(this, { id, key, news, lost, seat: -2, seats: 0, present: [], watching: 0, moves: 0, ended: false });
    this.stream = null;
    this.timer = null;
    this.seen = () => this.listen();
  }

  get fragment() {
    return word(this.id, this.key);
  }

  /** The keys of all seats, where this browser shared the game. */
  get keys() {
    return JSON.parse(localStorage.getItem(`shared:${this.id}`) ?? "null");
  }

  ask(what, fields = {}) {
    return ask(`shared/${this.id}${what}`, { key: this.key, ...fields });
  }

  /** What the game is and which seat this is: {game, text, params, seat, moves}. */
  async join() {
    const found = await this.ask("");
    this.know(found);
    return found;
  }

  know({ seat = this.seat, seats = this.seats, present, watching, moves }) {
    Object.assign(this, { seat, seats, present, watching, moves });
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
