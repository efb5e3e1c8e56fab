import { Message, message } from '@ats/message';
import { type RE2JS } from 're2js';
import { compilePattern } from './pattern-syntax.js';

/**
 * Limits of the work that patterns cause. The time to match a text is proportional to the length of the text times the
 * instructions of the RE2 pattern: about 20 to 70 ns for each character and instruction. So the length and the
 * instructions are limited, and also the steps of a request in total. Source: docs/reference/forms.md, "Patterns".
 */
export const PATTERN_LIMITS = {
  /** Maximum number of instructions of a compiled pattern. For example, `\d{5}` has 6 and `.{1,400}` has 801. */
  instructions: 1_000,
  /** Maximum number of characters of a text that is matched. */
  textLength: 2_000,
  /**
   * Maximum number of steps in a request: characters times instructions, summed over all matches. It takes about a
   * second in the worst case.
   */
  steps: 20_000_000,
} as const;

/** Compiling a pattern costs this number of steps for each character of the pattern and for each instruction. */
const STEPS_TO_COMPILE = 150;

/** The patterns of one request. Each pattern is compiled once. All patterns share one limit of steps. */
export class Patterns {
  readonly #compiled = new Map<string, RE2JS | Message>();
  #stepsLeft: number = PATTERN_LIMITS.steps;

  /** Returns the reason why a pattern is invalid, or undefined when it is valid. */
  violation(pattern: string): Message | undefined {
    if (this.#stepsLeft < 0)
      return message`the patterns of the form take too long to read: expected fewer or shorter patterns`;
    const compiled = this.#compile(pattern);
    if (compiled instanceof Message) return message`expected a regular expression in the syntax of RE2: ${compiled}`;
    const size = compiled.programSize();
    const most = PATTERN_LIMITS.instructions;
    return size > most
      ? message`expected a smaller pattern: with its repetitions it has ${size} parts, the maximum is ${most}`
      : undefined;
  }

  /** Returns the reason why a text does not match a pattern, or undefined when the whole text matches. */
  violationOf(text: string, pattern: string): Message | undefined {
    if (this.#stepsLeft < 0)
      return message`the texts of the request take too long to compare with their patterns: send fewer texts at once`;
    const compiled = this.#compile(pattern);
    if (compiled instanceof Message)
      throw new Error(`the stored pattern of a form item is not a valid regular expression: ${String(compiled)}`);
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
