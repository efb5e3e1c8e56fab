/**
 * What is known about the true count of a collection while items are added and none is taken away: after k answers at least k
 * items are there, and never more than were sent.
 */
export class CountLedger {
  #base;
  #sent = 0;
  /** When each answer came, in milliseconds. @type {number[]} */
  #answers = [];

  /** @param {number} base how many there are at the start */
  constructor(base) {
    this.#base = base;
  }

  get added() {
    return this.#answers.length;
  }

  send() {
    this.#sent++;
  }

  answer(at) {
    this.#answers.push(at);
  }

  /**
   * @param {number} total what a client was told
   * @param {number} sentAt when it asked
   * @returns how many items were missing though they were known to be there by then, and since when the count was wrong at least
   * @throws {Error} for a count that was never true
   */
  judge(total, sentAt) {
    const included = total - this.#base;
    if (!(included >= 0 && included <= this.#sent))
      throw new Error(
        `a count of ${total}, which was never true: there were ${this.#base} and ${this.#sent} more were sent`,
      );
    let known = this.#answers.length;
    while (known > 0 && this.#answers[known - 1] >= sentAt) known--;
    const missing = Math.max(0, known - included);
    return { missing, ageMs: missing === 0 ? 0 : sentAt - this.#answers[included] };
  }
}
