import pg from 'pg';
import { currentConsumer } from './consumer.js';

type Callback = (...answer: unknown[]) => void;

/** A connection that reports the time of each statement to its consumer. */
export class MeteredClient extends pg.Client {
  #lastEnd = 0;

  // The driver's type has one overload for each form of the arguments.
  override query: pg.Client['query'] = ((...given: unknown[]): unknown => {
    const run = pg.Client.prototype.query as (...values: unknown[]) => unknown;
    const consumer = currentConsumer();
    if (!consumer) return run.apply(this, given);
    const began = performance.now();
    const end = (): void => {
      // Statements of one connection run one after the other.
      const now = performance.now();
      consumer.spend(now - Math.max(began, this.#lastEnd));
      this.#lastEnd = now;
    };
    const callback = given.at(-1);
    if (typeof callback === 'function') {
      const report = (...answer: unknown[]): void => (end(), (callback as Callback)(...answer));
      return run.apply(this, [...given.slice(0, -1), report]);
    }
    const answer = run.apply(this, given);
    if (answer instanceof Promise) answer.then(end, end);
    return answer;
  }) as pg.Client['query'];
}
