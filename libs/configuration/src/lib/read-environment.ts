import { findMisspelled } from './misspelled.js';
import { type DescribedProcess, type Process } from './process.js';
import { type EnvironmentOf, type Variable, type Variables } from './variable.js';

/** `process.env` or an object of the same shape. */
export type RawEnvironment = Readonly<Record<string, string | undefined>>;

/** One variable with a missing or wrong value. */
export interface EnvironmentViolation {
  /** The name of the variable. */
  readonly variable: string;
  /** Says what is wrong. It quotes no value, because values may be secret. */
  readonly info: string;
}

/** The error for missing and invalid variables. Its message names all these variables and never quotes a value. */
export class EnvironmentError extends Error {
  /** All wrong variables. */
  readonly violations: readonly EnvironmentViolation[];

  constructor(violations: readonly EnvironmentViolation[]) {
    super(`wrong environment:\n${violations.map(({ variable, info }) => `  ${variable}: ${info}`).join('\n')}`);
    this.violations = violations;
    this.name = 'EnvironmentError';
  }
}

/**
 * Reads a process's configuration from its environment. An empty variable counts as absent.
 * @param process      the process whose variables are read
 * @param environment  `process.env`, passed by the one file of each app that may read it
 * @returns            the frozen values of the variables
 * @throws {EnvironmentError} naming every wrong variable
 * Source: docs/reference/operations.md.
 */
export function readEnvironment<Declared extends Variables>(
  process: Process<Declared>,
  environment: RawEnvironment,
): EnvironmentOf<Declared> {
  const values: Record<string, unknown> = {};
  const violations: EnvironmentViolation[] = [];
  for (const [name, declared] of Object.entries(process.variables)) {
    const text = environment[name] || declared.default;
    const read = text === undefined ? readAbsent(name, declared, process, environment) : readText(declared, text);
    if (read.info !== undefined) violations.push({ variable: name, info: read.info });
    else if (read.value !== undefined) values[name] = read.value;
  }
  const checked = Object.freeze(values) as EnvironmentOf<Declared>;
  violations.push(...findUnmet(process, checked, violations));
  if (violations.length > 0) throw new EnvironmentError(violations);
  return checked;
}

interface Reading {
  readonly value?: unknown;
  readonly info?: string;
}

function readText({ schema }: Variable, text: string): Reading {
  const result = schema.safeParse(text);
  return result.success
    ? { value: result.data }
    : { info: result.error.issues.map(({ message }) => message).join(', and ') };
}

/**
 * Returns the violation of a required variable that is not set. It also names a set variable with a similar name,
 * because the cause is often a misspelling.
 */
function readAbsent(
  name: string,
  { whenAbsent }: Variable,
  process: DescribedProcess,
  environment: RawEnvironment,
): Reading {
  if (whenAbsent !== undefined) return {};
  const misspelled = findMisspelled(process, environment).find(({ similar }) => similar === name);
  const hint = misspelled ? ` (${misspelled.variable} is set, but nothing reads it)` : '';
  return { info: `is required but not set${hint}` };
}

function findUnmet<Declared extends Variables>(
  { requirements }: Process<Declared>,
  environment: EnvironmentOf<Declared>,
  violations: readonly EnvironmentViolation[],
): readonly EnvironmentViolation[] {
  const wrong = new Set(violations.map(({ variable }) => variable));
  return requirements
    .filter((requirement) => ![requirement.variable, ...requirement.with].some((name) => wrong.has(name)))
    .flatMap(({ variable, violation }) => {
      const info = violation(environment);
      return info === null ? [] : [{ variable, info }];
    });
}
