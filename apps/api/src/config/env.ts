import { declareProcess, type EnvironmentOf, findMisspelled, type Misspelled, readEnvironment, schemas, sharedVariables, variable } from '@ats/configuration';
import { destinationVariables } from '@ats/domain';
import { limitVariables } from './limit-variables.js';

const { DATABASE_URL, REDIS_URL, PUBLIC_BASE_URL, SECRET_KEY, LOG_LEVEL } = sharedVariables;

/** All that the API reads of its environment. */
export const configuration = declareProcess({
  name: 'api',
  about: 'the HTTP interface',
  variables: {
    DATABASE_URL,
    REDIS_URL,
    PORT: variable({ schema: schemas.port, description: 'The port that the API listens on.', default: '3000' }),
    PUBLIC_BASE_URL,
    SECRET_KEY,
    ...destinationVariables,
    ...limitVariables,
    LOG_LEVEL,
  },
});

export type Environment = EnvironmentOf<typeof configuration.variables>;

/**
 * The API's configuration, read once at its start. Nothing else in the app reads `process.env`.
 * @throws {EnvironmentError} naming every wrong variable
 */
export const loadEnvironment = (): Environment => readEnvironment(configuration, process.env);

/** Variables that look like misspelled ones of ours: worth a warning. */
export const misspelledVariables = (): readonly Misspelled[] => findMisspelled(configuration, process.env);
