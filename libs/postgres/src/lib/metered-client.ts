import pg from 'pg';
import { currentConsumer } from './consumer.js';

type Callback = (...answer: unknown[]) => void;

/** A connection that reports the duration of each statement to the consumer of the statement. */
export class MeteredClient extends pg.Client {
  readonly #send = super.query.bind(this) as (...given: unknown[]) => unknown;
  #lastEnd = 0;

  // The driver declares one overload for each form of the arguments. This function handles all of them.
  override query: pg.Client['query'] = ((...given: unknown[]): unknown => {
    const consumer = currentConsumer();
    if (!consumer) return this.#send(...given);
    const began = performance.now();
    const report = consumer.begin();
    const end = (): void => {
      // A statement waits until the one before it on the same connection has ended. This wait does not count.
      const now = performance.now();
      report(now - Math.max(began, this.#lastEnd));
      this.#lastEnd = now;
    };
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      const answered = (...answer: unknown[]): void => (end(), (callback as Callback)(...answer));
      return this.#send(...given.slice(0, -1), answered);
    }
    const answer = this.#send(...given);
    if (answer instanceof Promise) answer.then(end, end);
    return answer;
  }) as pg.Client['query'];
}
