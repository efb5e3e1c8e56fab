import { z } from 'zod';
import { catalogueOf } from './catalogue.js';
import { type DescribedProcess } from './process.js';

/** The declarations of all variables, for programs that generate other files from them. */
export interface ConfigurationDescription {
  readonly processes: readonly {
    readonly name: string;
    readonly about: string;
    readonly variables: readonly string[];
  }[];
  readonly variables: readonly VariableDescription[];
}

/** One variable as JSON, for tools of operators. */
export interface VariableDescription {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly default?: string;
  readonly whenAbsent?: string;
  readonly example?: string;
  readonly readBy: readonly string[];
  /** JSON Schema of the text. A check that is a function has no JSON Schema, so its schema allows any text. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Describes the variables of several processes as JSON. */
export const describeAsJson = (processes: readonly DescribedProcess[]): ConfigurationDescription => ({
  processes: processes.map(({ name, about, variables }) => ({ name, about, variables: Object.keys(variables) })),
  variables: catalogueOf(processes).map(({ name, variable: { schema, isSecret = false, ...rest }, readBy }) => ({
    name,
    isRequired: rest.default === undefined && rest.whenAbsent === undefined,
    isSecret,
    ...rest,
    readBy,
    schema: jsonSchemaOf(schema),
  })),
});

/** Removes `$schema`, because the result becomes a part of larger schemas. */
function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(Object.entries(whole).filter(([key]) => key !== '$schema'));
}
