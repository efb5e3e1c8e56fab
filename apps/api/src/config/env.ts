import { destinationVariables, readEnvironment, variables } from '@ats/domain';
import { z } from 'zod';

const schema = z.object({
  DATABASE_URL: variables.DATABASE_URL,
  REDIS_URL: variables.REDIS_URL,
  PORT: variables.port.default(3000),
  PUBLIC_BASE_URL: variables.PUBLIC_BASE_URL,
  SECRET_KEY: variables.SECRET_KEY,
  ...destinationVariables,
  LOG_LEVEL: variables.LOG_LEVEL.default('info'),
});

export type Environment = Readonly<z.output<typeof schema>>;

/**
 * The API's configuration, read once at its start. Nothing else in the app reads `process.env`.
 * @throws {EnvironmentError} naming every wrong variable
 */
export const loadEnvironment = (): Environment => readEnvironment(schema, process.env);
