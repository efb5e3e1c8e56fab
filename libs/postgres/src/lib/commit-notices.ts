/** Minimum time in ms between two NOTIFY of a channel. */
const PAUSE_MS = 20;

/**
 * Sends NOTIFY after commits. On each channel, one NOTIFY serves all commits in a turn of the event loop, and another
 * one all commits of the next 20 ms. A NOTIFY for each commit would cost a large part of a short transaction. A NOTIFY
 * that is missing does no harm, because listeners also poll.
 */
export class CommitNotices {
  /** The channels that had a NOTIFY in the last `PAUSE_MS`. */
  readonly #recent = new Set<string>();
  /** The channels with commits since their last NOTIFY. */
  readonly #waiting = new Set<string>();

  constructor(private readonly send: (channel: string) => void) {}

  /** Requests a NOTIFY on a channel. The first NOTIFY after a pause is sent in this turn of the event loop. */
  request(channel: string): void {
    this.#waiting.add(channel);
    if (this.#recent.has(channel)) return;
    this.#recent.add(channel);
    setImmediate(() => {
      this.#waiting.delete(channel);
      this.send(channel);
    });
    setTimeout(() => {
      this.#recent.delete(channel);
      if (this.#waiting.has(channel)) this.request(channel);
    }, PAUSE_MS).unref();
  }
}
