import { type z } from 'zod';

/** What is told of a variable, whatever becomes of the process without it. */
interface Declaration<Value> {
  /** From the text of the environment to the value that the process works with; its `error` says what the text must be, never what it is. */
  readonly schema: z.ZodType<Value, string>;
  /** What it does, in one or two sentences: operators read them. */
  readonly description: string;
  /** As an operator would write it. */
  readonly example?: string;
  /** Never printed: it is, or holds, a password, a key or a token. */
  readonly isSecret?: boolean;
}

/** One variable of the environment. `Value` has `undefined` when the process runs without it. */
export interface Variable<Value = unknown> extends Declaration<Value> {
  /** The text that holds when none is given. */
  readonly default?: string;
  /** In words, what holds when none is given and no text stands for it. */
  readonly whenAbsent?: string;
}

/** Variables by their names. */
export type Variables = Readonly<Record<string, Variable>>;

/**
 * Declares a variable, once for all that read it. With a `default` it always has a value; with `whenAbsent` it may be
 * missing; with neither the process does not start without it.
 */
export function variable<Value>(
  declaration: Declaration<Value> & { readonly whenAbsent: string },
): Variable<Value | undefined>;
export function variable<Value>(declaration: Declaration<Value> & { readonly default?: string }): Variable<Value>;
export function variable(declaration: Variable): Variable {
  return declaration;
}

type ValueOf<Declared> = Declared extends Variable<infer Value> ? Value : never;
type OptionalNames<Declared extends Variables> = {
  [Name in keyof Declared]: undefined extends ValueOf<Declared[Name]> ? Name : never;
}[keyof Declared];

/** The checked environment of a process: the value of each of its variables. */
export type EnvironmentOf<Declared extends Variables> = {
  readonly [Name in Exclude<keyof Declared, OptionalNames<Declared>>]: ValueOf<Declared[Name]>;
} & {
  readonly [Name in OptionalNames<Declared>]?: ValueOf<Declared[Name]>;
};
