import { type Answer } from './destination.js';

/** Answers 204 after a delay. */
export const answerAfter =
  (delayMs: number | (() => number)): Answer =>
  (_, response) => {
    setTimeout(() => response.writeHead(204).end(), typeof delayMs === 'number' ? delayMs : delayMs());
  };

/** Holds back all answers until {@link release} is called, and then answers 204. */
export class HeldAnswers {
  readonly #waiting: (() => void)[] = [];
  #isReleased = false;

  readonly answer: Answer = (_, response) => {
    const end = (): void => void response.writeHead(204).end();
    if (this.#isReleased) end();
    else this.#waiting.push(end);
  };

  get count(): number {
    return this.#waiting.length;
  }

  /** Answers all waiting requests. Answers later requests at once. */
  release(): void {
    this.#isReleased = true;
    for (const end of this.#waiting.splice(0)) end();
  }
}
