// @ts-check
import { EnvironmentError, findMisspelled, readEnvironment } from '@ats/configuration';

/** @typedef {import('./processes.mjs').Process} Process */
/** @typedef {{ violations: readonly string[], warnings: readonly string[] }} Verdict */

/**
 * Lists each error of an environment once, with the processes that would not start. The texts never contain a value of
 * a variable.
 * @param {readonly Process[]} processes
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Verdict}
 */
export function checkEnvironment(processes, environment) {
  const violations = group(processes, (process) => faultsOf(process, environment));
  const known = new Set(processes.flatMap(({ variables }) => Object.keys(variables)));
  const warnings = group(processes, (process) =>
    findMisspelled(process, environment)
      .filter(({ variable }) => !known.has(variable))
      .map(({ variable, similar }) => `the variable ${variable} is unknown. Did you mean ${similar}?`),
  );
  return {
    violations: violations.map(([text, names]) => `${text} (${names.join(', ')})`),
    warnings: warnings.map(([text]) => text),
  };
}

/**
 * Lists the wrong variables of one process.
 * @param {Process} process @param {NodeJS.ProcessEnv} environment
 */
function faultsOf(process, environment) {
  try {
    readEnvironment(process, environment);
    return [];
  } catch (error) {
    if (error instanceof EnvironmentError) return error.violations.map(({ variable, info }) => `${variable}: ${info}`);
    throw error;
  }
}

/**
 * Groups equal texts of several processes.
 * @param {readonly Process[]} processes
 * @param {(process: Process) => readonly string[]} textsOf
 * @returns {[string, string[]][]} each text with the names of its processes
 */
function group(processes, textsOf) {
  /** @type {Map<string, string[]>} */
  const names = new Map();
  for (const process of processes)
    for (const text of textsOf(process)) names.set(text, [...(names.get(text) ?? []), process.name]);
  return [...names];
}
