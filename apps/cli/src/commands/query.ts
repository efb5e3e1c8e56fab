import { type Command, InvalidArgumentError } from 'commander';

/** The options that filter and order a collection, and that choose the shown properties. */
export interface QueryOptions {
  readonly search?: readonly string[];
  readonly where?: string;
  readonly sort?: readonly string[];
  readonly layout?: string;
  readonly fields?: string;
}

const collect = (value: string, known: readonly string[] = []): readonly string[] => [...known, value];

/** Adds the options of a collection to a command. */
export const withQuery = (command: Command): Command =>
  command
    .option('--search <condition>', 'a condition such as /lastname=Example; may be repeated', collect)
    .option('--where <expression>', 'an expression of the expression language')
    .option('--sort <key>', 'a sort key such as lastname!asc; may be repeated', collect)
    .option('--layout <id>', 'the columns of a layout')
    .option('--fields <names>', 'properties to show, separated by commas');

/** Returns the query parameters that the options of a collection stand for. */
export const queryOf = ({ search, where, sort, layout, fields }: QueryOptions): Record<string, unknown> => ({
  search,
  where,
  sort,
  layout,
  fields,
});

/** Reads a whole number that is at least 1. */
export function positive(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('expected a whole number, at least 1.');
  return number;
}
