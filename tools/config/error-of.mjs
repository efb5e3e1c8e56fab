// @ts-check
import { EnvironmentError, readEnvironment } from '@ats/configuration';

/**
 * Reads an environment. Returns the error when the environment is wrong, otherwise undefined.
 * @param {import('./processes.mjs').Process} process_ @param {NodeJS.ProcessEnv} environment
 */
export function errorOf(process_, environment) {
  try {
    readEnvironment(process_, environment);
    return undefined;
  } catch (error) {
    if (error instanceof EnvironmentError) return error;
    throw error;
  }
}
