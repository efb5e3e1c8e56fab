import { type Answer } from './destination.js';

/** 204 after a while, as a server that has something to do. */
export const after =
  (delayMs: number | (() => number)): Answer =>
  (_, response) => {
    setTimeout(() => response.writeHead(204).end(), typeof delayMs === 'number' ? delayMs : delayMs());
  };

/** Answers given later, all at once. */
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

  /** Answers those that wait, and from now on at once. */
  release(): void {
    this.#isReleased = true;
    for (const end of this.#waiting.splice(0)) end();
  }
}
