import { z } from 'zod';
import { catalogueOf } from './catalogue.js';
import { type DescribedProcess } from './process.js';

/** The declarations of all variables, from which programs generate other files. */
export interface ConfigurationDescription {
  /** The processes, with their names and purposes. */
  readonly processes: readonly {
    readonly name: string;
    readonly about: string;
    readonly variables: readonly string[];
  }[];
  /** The variables of all processes, each once. */
  readonly variables: readonly VariableDescription[];
}

/** One variable as JSON, for tools of operators. */
export interface VariableDescription {
  /** The name of the variable. */
  readonly name: string;
  /** A description of the variable for operators, in one or two sentences. */
  readonly description: string;
  /** True when the process does not start without the variable. */
  readonly isRequired: boolean;
  /** True when the value is or contains a secret. */
  readonly isSecret: boolean;
  /** The value that applies when the variable is not set. */
  readonly default?: string;
  /** What happens when the variable is not set and has no default value. */
  readonly whenAbsent?: string;
  /** An example of a value in the expected form. */
  readonly example?: string;
  /** The names of the processes that read the variable. */
  readonly readBy: readonly string[];
  /**
   * JSON Schema of the value of the variable, which is a text. When a function checks the value, the schema allows any
   * text, because JSON Schema cannot describe a function.
   */
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

/** Returns the JSON Schema without `$schema`, because it becomes a part of larger schemas. */
function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(Object.entries(whole).filter(([key]) => key !== '$schema'));
}
