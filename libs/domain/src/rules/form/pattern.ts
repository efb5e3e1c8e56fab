import { Message, message } from '@ats/message';
import { type RE2JS } from 're2js';
import { compilePattern } from './pattern-syntax.js';

/**
 * What a pattern may cost. The syntax is RE2's: to compare a text takes time in proportion to its length and to the instructions
 * that the pattern compiles to, some 20 to 70 ns for each character and instruction. So both are bounded, and so is what all
 * comparisons of a request take together.
 */
export const PATTERN_LIMITS = {
  /** Instructions of one pattern. `\d{5}` has 6, `.{1,400}` has 801. */
  instructions: 1_000,
  /** Characters of a text that a pattern is for. */
  textLength: 2_000,
  /** Characters times instructions of a request: about a second, when everything in it is made to take long. */
  steps: 20_000_000,
} as const;

/** To compile a character or an instruction takes as long as so many steps. */
const STEPS_TO_COMPILE = 150;

/** The patterns of one request, each compiled once, and what is left of the time for them. */
export class Patterns {
  readonly #compiled = new Map<string, RE2JS | Message>();
  #stepsLeft: number = PATTERN_LIMITS.steps;

  /** What is wrong with a pattern; undefined when nothing is. */
  fault(pattern: string): Message | undefined {
    if (this.#stepsLeft < 0)
      return message`the patterns of the form take too long to read: expected fewer, or shorter ones`;
    const compiled = this.#compile(pattern);
    if (compiled instanceof Message) return message`expected a regular expression in the syntax of RE2: ${compiled}`;
    const size = compiled.programSize();
    return size > PATTERN_LIMITS.instructions
      ? message`expected a smaller pattern: what it repeats makes ${size} parts of it, and ${PATTERN_LIMITS.instructions} is the most`
      : undefined;
  }

  /** What is wrong with a text; undefined when the whole of it matches. */
  faultOf(text: string, pattern: string): Message | undefined {
    if (this.#stepsLeft < 0)
      return message`the texts of the request take too long to compare with their patterns: send fewer at once`;
    const compiled = this.#compile(pattern);
    if (compiled instanceof Message) throw new Error(`a stored pattern cannot be used: ${String(compiled)}`);
    this.#stepsLeft -= text.length * compiled.programSize();
    return compiled.matcher(text).matches() ? undefined : message`expected a text that matches ${pattern}`;
  }

  #compile(pattern: string): RE2JS | Message {
    const known = this.#compiled.get(pattern);
    if (known) return known;
    const compiled = compilePattern(pattern);
    this.#compiled.set(pattern, compiled);
    this.#stepsLeft -= STEPS_TO_COMPILE * (pattern.length + (compiled instanceof Message ? 0 : compiled.programSize()));
    return compiled;
  }
}
