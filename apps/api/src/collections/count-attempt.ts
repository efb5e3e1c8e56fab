/** A count on its way, with all who wait for it. */
export class CountAttempt {
  /** The statement was sent then: it sees what had been committed before. */
  beganAt = Infinity;
  isOver = false;
  /** Undefined when it was not to be had. It does not reject. */
  readonly total: Promise<number | undefined>;
  readonly #resolve: (total: number | undefined) => void;

  constructor() {
    let resolve: (total: number | undefined) => void = () => undefined;
    this.total = new Promise((done) => (resolve = done));
    this.#resolve = resolve;
  }

  end(total: number | undefined): void {
    this.isOver = true;
    this.#resolve(total);
  }
}
