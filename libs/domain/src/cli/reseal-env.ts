import { declareProcess, type EnvironmentOf, readEnvironment } from '@ats/configuration';
import { keyRequirements, sharedVariables } from '../environment/shared-variables.js';

const { DATABASE_URL, SECRET_KEY, SECRET_KEY_PREVIOUS } = sharedVariables;

/** The environment variables of `npm run reseal`. */
export const configuration = declareProcess({
  name: 'reseal',
  about: 'encrypts stored secrets again with the current key',
  variables: { DATABASE_URL, SECRET_KEY, SECRET_KEY_PREVIOUS },
  requirements: keyRequirements,
});

/**
 * Reads the environment.
 * @throws {EnvironmentError} naming every invalid variable
 */
export const loadResealEnvironment = (): EnvironmentOf<typeof configuration.variables> =>
  readEnvironment(configuration, process.env);
