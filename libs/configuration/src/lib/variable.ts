import { type z } from 'zod';

/** The part of a declaration that required and optional variables share. */
export interface Declaration<Value> {
  /** The schema that reads the text of the variable. Its errors say what the text must be, and never quote the text. */
  readonly schema: z.ZodType<Value, string>;
  /** A description of the variable for operators, in one or two sentences. */
  readonly description: string;
  /** An example in the form in which an operator would write it. */
  readonly example?: string;
  /** True when the text is or contains a password, key or token. Such a text is never printed. */
  readonly isSecret?: boolean;
}

/** One environment variable. `Value` includes `undefined` when the process can run without the variable. */
export interface Variable<Value = unknown> extends Declaration<Value> {
  /** The text that applies when the variable is not set. */
  readonly default?: string;
  /** Describes what happens when the variable is not set, if it has no default. */
  readonly whenAbsent?: string;
}

/** Maps the name of each variable to its declaration. */
export type Variables = Readonly<Record<string, Variable>>;

/**
 * Declares a variable. With a `default`, the variable always has a value. With `whenAbsent`, its value may be
 * undefined. With neither, the variable is required: the process does not start without it.
 */
export function variable<Value>(
  declaration: Declaration<Value> & { readonly whenAbsent: string },
): Variable<Value | undefined>;
/** Declares a variable that always has a value. */
export function variable<Value>(declaration: Declaration<Value> & { readonly default?: string }): Variable<Value>;
export function variable(declaration: Variable): Variable {
  return declaration;
}

/** The type of a variable's value. */
export type ValueOf<Declared> = Declared extends Variable<infer Value> ? Value : never;
/** The names of the variables whose value may be undefined. */
export type OptionalNames<Declared extends Variables> = {
  [Name in keyof Declared]: undefined extends ValueOf<Declared[Name]> ? Name : never;
}[keyof Declared];

/** The checked environment of a process: the value of each of its variables. */
export type EnvironmentOf<Declared extends Variables> = {
  readonly [Name in Exclude<keyof Declared, OptionalNames<Declared>>]: ValueOf<Declared[Name]>;
} & {
  readonly [Name in OptionalNames<Declared>]?: ValueOf<Declared[Name]>;
};
