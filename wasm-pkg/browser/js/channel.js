// Questions and answers over whatever carries messages: a worker, its parent, a port.

import { SeekwellError, known } from "./errors.js";

/** A port of a MessageChannel as something to post to and to listen to, in Node as in a browser. */
export function ofPort(port) {
  return {
    post: (message, transfer = []) => port.postMessage(message, transfer),
    listen: (heard) => {
      port.onmessage = (event) => heard(event.data);
      port.start?.();
    },
    close: () => port.close(),
  };
}

/** Answers can be values with what is to be moved instead of copied. */
export class Moved {
  constructor(value, transfer) {
    Object.assign(this, { value, transfer });
  }
}

/** One end of a channel: asks the other end, and answers what it asks. */
export class Channel {
  #waiting = new Map();
  #next = 1;
  #dropped = new Set();
  #ended;

  /**
   * @param carrier what carries messages
   * @param answers by name, what answers a question: `(argument, { isDropped }) => value`
   * @param heard told of messages that are no questions, by name
   */
  constructor(carrier, answers = {}, heard = {}) {
    Object.assign(this, { carrier, answers, heard });
    carrier.listen((message) => this.#take(message));
  }

  /** Asks the other end. With a signal, the answer is not waited for any more when that is aborted. */
  ask(name, argument, { transfer = [], signal } = {}) {
    if (this.#ended) return Promise.reject(this.#ended);
    if (signal?.aborted) return Promise.reject(new SeekwellError("cancelled", "cancelled"));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const drop = () => {
        this.#waiting.delete(id);
        this.carrier.post({ drop: id });
        reject(new SeekwellError("cancelled", "cancelled"));
      };
      signal?.addEventListener("abort", drop, { once: true });
      const settle = (then) => (value) => {
        signal?.removeEventListener("abort", drop);
        then(value);
      };
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      try {
        this.carrier.post({ id, name, argument }, transfer);
      } catch (error) {
        this.#waiting.delete(id);
        settle(reject)(known(error));
      }
    });
  }

  /** Tells the other end. */
  tell(name, argument, transfer = []) {
    if (!this.#ended) this.carrier.post({ tell: name, argument }, transfer);
  }

  /** Fails all that is waited for, and all that is asked from now on. */
  end(error) {
    this.#ended = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  /** How many answers are waited for. */
  get waiting() {
    return this.#waiting.size;
  }

  async #take(message) {
    if (message.drop) return void this.#dropped.add(message.drop);
    if (message.tell) return this.heard[message.tell]?.(message.argument);
    if (message.answered) {
      const waiting = this.#waiting.get(message.answered);
      this.#waiting.delete(message.answered);
      if (message.error) waiting?.reject(new SeekwellError(message.error.code, message.error.message));
      else waiting?.resolve(message.value);
      return;
    }
    const { id, name, argument } = message;
    if (!name) return;
    try {
      const answer = await this.answers[name](argument, { isDropped: () => this.#dropped.has(id) });
      if (answer instanceof Moved) this.carrier.post({ answered: id, value: answer.value }, answer.transfer);
      else this.carrier.post({ answered: id, value: answer });
    } catch (error) {
      const { code, message } = known(error);
      this.carrier.post({ answered: id, error: { code, message } });
    } finally {
      this.#dropped.delete(id);
    }
  }
}

/** Lets messages that have come in be taken before going on. */
export function nextTurn() {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(0);
  });
}
