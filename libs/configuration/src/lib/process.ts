import { type EnvironmentOf, type Variables } from './variable.js';

/** What no variable can say of itself alone. */
export interface Requirement<Declared extends Variables> {
  /** The variable that is wrong when it is not met. */
  readonly variable: keyof Declared & string;
  /** What else is looked at: while one of these is wrong itself, nothing is said. */
  readonly with: readonly (keyof Declared & string)[];
  /** @returns what the variable must be, never what it is; null when it is met */
  readonly fault: (environment: EnvironmentOf<Declared>) => string | null;
}

/** What is told of a process to people: all but its requirements. */
export interface DescribedProcess<Declared extends Variables = Variables> {
  /** As operators know it: `api`. */
  readonly name: string;
  /** What it is, in a few words. */
  readonly about: string;
  readonly variables: Declared;
}

/** What reads an environment of its own: an app, or a command that runs alone. */
export interface Process<Declared extends Variables> extends DescribedProcess<Declared> {
  readonly requirements: readonly Requirement<Declared>[];
}

/** Declares a process: all that it reads of its environment, in one list. */
export const declareProcess = <Declared extends Variables>(
  declaration: DescribedProcess<Declared> & Partial<Process<Declared>>,
): Process<Declared> => ({ requirements: [], ...declaration });
