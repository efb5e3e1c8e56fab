import {
  declareProcess,
  type EnvironmentOf,
  readEnvironment,
  schemas,
  sharedVariables,
  tracingVariables,
  variable,
} from '@ats/configuration';
import { destinationVariables } from '@ats/domain';
import { redisVariables } from '@ats/redis-connection';
import { limitVariables } from './limit-variables.js';

const { DATABASE_URL, PUBLIC_BASE_URL, SECRET_KEY, LOG_LEVEL, LOG_FORMAT, RELEASE } = sharedVariables;

/** All that the API reads of its environment. */
export const configuration = declareProcess({
  name: 'api',
  about: 'the HTTP interface',
  variables: {
    DATABASE_URL,
    DATABASE_REPLICA_URL: variable({
      schema: schemas.serverUrl(['postgres:', 'postgresql:']),
      description:
        'A streaming replica of the database, one server: the pages of collections are read from it as long as it is good for that.',
      whenAbsent: 'the primary is read',
      example: 'postgres://user:password@replica:5432/ats',
      isSecret: true,
    }),
    ...redisVariables,
    PORT: variable({ schema: schemas.port, description: 'The port that the API listens on.', default: '3000' }),
    DRAIN_SECONDS: variable({
      schema: schemas.wholeNumber({ most: 20, unit: 'seconds' }),
      description:
        'For so long it goes on to serve after SIGTERM, so that load balancers notice that it ends: longer than two of their health checks.',
      default: '0',
    }),
    PUBLIC_BASE_URL,
    SECRET_KEY,
    ...destinationVariables,
    ...limitVariables,
    LOG_LEVEL,
    ...tracingVariables,
    LOG_FORMAT,
    RELEASE,
  },
});

export type Environment = EnvironmentOf<typeof configuration.variables>;

/**
 * The API's configuration, read once at its start. Nothing else in the app reads `process.env`.
 * @throws {EnvironmentError} naming every wrong variable
 */
export const loadEnvironment = (): Environment => readEnvironment(configuration, process.env);
