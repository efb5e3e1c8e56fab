// @ts-check
import { declareProcess, EnvironmentError, findMisspelled, readEnvironment } from '@ats/configuration';
import { sharedVariables } from '@ats/domain';
import { PlainError } from '../workspace.mjs';

/** The environment variables of `npm run seed`. */
export const configuration = declareProcess({
  name: 'seed',
  about: 'fills in demo data',
  variables: { DATABASE_URL: sharedVariables.DATABASE_URL },
});

/** Reads the environment. @throws {PlainError} whose message names every wrong variable */
export function loadEnvironment() {
  for (const { variable, similar } of findMisspelled(configuration, process.env))
    console.error(`warning: the variable ${variable} is unknown. Did you mean ${similar}?`);
  try {
    return readEnvironment(configuration, process.env);
  } catch (error) {
    throw error instanceof EnvironmentError ? new PlainError(error.message) : error;
  }
}
