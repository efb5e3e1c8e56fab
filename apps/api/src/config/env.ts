import { declareProcess, type EnvironmentOf, readEnvironment, schemas, variable } from '@ats/configuration';
import {
  destinationVariables,
  keyRequirements,
  sharedVariables,
  tlsRequirements,
  tlsVariables,
  tracingVariables,
} from '@ats/domain';
import { redisVariables } from '@ats/redis-connection/variables';
import { credentialVariables } from './credential-variables.js';
import { browserVariables } from './browser-variables.js';
import { challengeRequirements, challengeVariables } from './challenge-variables.js';
import { documentRequirements, documentVariables } from './document-variables.js';
import { limitVariables } from './limit-variables.js';

const { DATABASE_URL, PUBLIC_BASE_URL, SECRET_KEY, SECRET_KEY_PREVIOUS, LOG_LEVEL, LOG_FORMAT, RELEASE } =
  sharedVariables;

/** All environment variables of the API. */
export const configuration = declareProcess({
  name: 'api',
  about: 'the HTTP interface',
  variables: {
    DATABASE_URL,
    DATABASE_REPLICA_URL: variable({
      schema: schemas.serverUrl(['postgres:', 'postgresql:']),
      description:
        'One streaming replica of the database. Pages of collections are read from it while it is recent enough.',
      whenAbsent: 'pages are read from the primary',
      example: 'postgres://user:password@replica:5432/ats',
      isSecret: true,
    }),
    ...redisVariables,
    PORT: variable({ schema: schemas.port, description: 'The port on which the API listens.', default: '3000' }),
    ...tlsVariables,
    DRAIN_SECONDS: variable({
      schema: schemas.wholeNumber({ most: 20, unit: 'seconds' }),
      description:
        'Seconds to keep serving after SIGTERM, so that load balancers can remove the process. ' +
        'Set it to more than two health check intervals.',
      default: '0',
    }),
    PUBLIC_BASE_URL,
    SECRET_KEY,
    SECRET_KEY_PREVIOUS,
    ...destinationVariables,
    ...limitVariables,
    ...credentialVariables,
    ...browserVariables,
    ...documentVariables,
    ...challengeVariables,
    LOG_LEVEL,
    ...tracingVariables,
    LOG_FORMAT,
    RELEASE,
  },
  requirements: [...tlsRequirements, ...keyRequirements, ...documentRequirements, ...challengeRequirements],
});

export type Environment = EnvironmentOf<typeof configuration.variables>;

/**
 * Reads the API's configuration. Nothing else in the app reads `process.env`.
 * @throws {EnvironmentError} that names every invalid variable
 */
export const loadEnvironment = (): Environment => readEnvironment(configuration, process.env);
