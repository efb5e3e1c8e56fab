import { type EnvironmentOf, type Variables } from './variable.js';

/** A rule that concerns several variables. */
export interface Requirement<Declared extends Variables> {
  /** The variable that is reported when the rule is not met. */
  readonly variable: keyof Declared & string;
  /** The other variables of the rule. The rule is not checked while one of its variables is invalid. */
  readonly with: readonly (keyof Declared & string)[];
  /**
   * Returns the violation of the rule.
   * @returns a text that begins with "must" and never quotes a value, or null when the rule is met
   */
  readonly violation: (environment: EnvironmentOf<Declared>) => string | null;
}

/** The properties of a process that its description shows. */
export interface DescribedProcess<Declared extends Variables = Variables> {
  /** The name by which operators know the process, such as `api`. */
  readonly name: string;
  /** A description of the process in a few words. */
  readonly about: string;
  /** The variables that the process reads. */
  readonly variables: Declared;
}

/** An app or a command that reads its own environment variables. */
export interface Process<Declared extends Variables> extends DescribedProcess<Declared> {
  /** The rules that concern several variables. */
  readonly requirements: readonly Requirement<Declared>[];
}

/** Declares a process and the list of all variables that it reads. */
export const declareProcess = <Declared extends Variables>(
  declaration: DescribedProcess<Declared> & Partial<Pick<Process<NoInfer<Declared>>, 'requirements'>>,
): Process<Declared> => ({ requirements: [], ...declaration });
