import { type Argument, type Option } from 'commander';

const stored = new WeakMap<Argument | Option, readonly string[]>();

/** Gives an argument or an option values for shell completion. Unlike choices, they do not exclude other values. */
export function suggest<Given extends Argument | Option>(given: Given, values: readonly string[]): Given {
  stored.set(given, values);
  return given;
}

/** Returns the values that shells complete: the suggested values or the choices. */
export const suggestionsOf = (given: Argument | Option): readonly string[] =>
  stored.get(given) ?? given.argChoices ?? [];
