import { destinationVariables, readEnvironment, variables } from '@ats/domain';
import { z } from 'zod';
import { mailVariables } from './mail-variables.js';
import { schedule } from './schedule.js';

/** Delays after failed attempts, in seconds: 12 attempts over some 71 hours. Source: CONTRACT.md 8. */
const DEFAULT_SCHEDULE = '5,30,120,600,1800,3600,10800,21600,43200,86400,86400';

/** By the schedule that is the default all attempts of a message are over within three days. */
const LEAST_DAYS = 4;

const days = z
  .string()
  .regex(/^\s*\d{1,5}\s*$/, { error: 'must be a whole number of days' })
  .transform(Number)
  .pipe(z.number().min(LEAST_DAYS, { error: `must be at least ${LEAST_DAYS} days` }));

const schema = z.object({
  DATABASE_URL: variables.DATABASE_URL,
  REDIS_URL: variables.REDIS_URL,
  NOTIFIER_PORT: variables.port.default(3001),
  PUBLIC_BASE_URL: variables.PUBLIC_BASE_URL,
  SECRET_KEY: variables.SECRET_KEY,
  ...destinationVariables,
  DELIVERY_SCHEDULE: schedule.default(schedule.parse(DEFAULT_SCHEDULE)),
  DELIVERY_RETENTION_DAYS: days.default(30),
  EVENT_RETENTION_DAYS: days.default(400),
  ...mailVariables,
  LOG_LEVEL: variables.LOG_LEVEL.default('info'),
});

export type Environment = Readonly<z.output<typeof schema>>;

/**
 * The notifier's configuration, read once at its start. Nothing else in the app reads `process.env`.
 * @throws {EnvironmentError} naming every wrong variable
 */
export const loadEnvironment = (): Environment => readEnvironment(schema, process.env);
