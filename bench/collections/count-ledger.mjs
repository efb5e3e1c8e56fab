/**
 * Computes bounds of a collection's true count while requests add items and none is deleted. The number of new items is
 * at least the number of answered requests, and at most the number of sent requests.
 */
export class CountLedger {
  #base;
  #sent = 0;
  /** The time of each answer, in ms. @type {number[]} */
  #answers = [];

  /** @param {number} base number of items at the start */
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
   * @param {number} total count in an answer to a client
   * @param {number} sentAt time of that request, in ms
   * @returns the number of items that the count lacks although the requests that created them were answered before
   *   `sentAt`, and the least age of the count in ms
   * @throws {Error} for a count that was never true
   */
  judge(total, sentAt) {
    const included = total - this.#base;
    if (!(included >= 0 && included <= this.#sent))
      throw new Error(
        `the API returned the count ${total}, but there were ${this.#base} items at the start and ${this.#sent} requests for new ones`,
      );
    let known = this.#answers.length;
    while (known > 0 && this.#answers[known - 1] >= sentAt) known--;
    const missing = Math.max(0, known - included);
    return { missing, ageMs: missing === 0 ? 0 : sentAt - this.#answers[included] };
  }
}
