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
import { mailVariables } from './mail-variables.js';
import { schedule } from './schedule.js';

const { DATABASE_URL, PUBLIC_BASE_URL, SECRET_KEY, SECRET_KEY_PREVIOUS, LOG_LEVEL, LOG_FORMAT, RELEASE } =
  sharedVariables;

/**
 * Minimum storage period of deliveries and events. All attempts of a message must end within the storage period. With
 * the default schedule, they end within three days.
 */
const MIN_STORAGE_DAYS = 4;
const days = schemas.wholeNumber({ least: MIN_STORAGE_DAYS, most: 99_999, unit: 'days' });

/** All environment variables of the notifier. */
export const configuration = declareProcess({
  name: 'notifier',
  about: 'matches events with topics, delivers notifications, sends e-mails',
  variables: {
    DATABASE_URL,
    ...redisVariables,
    NOTIFIER_PORT: variable({
      schema: schemas.port,
      description: 'The port on which the notifier serves health checks and metrics.',
      default: '3001',
    }),
    ...tlsVariables,
    PUBLIC_BASE_URL,
    SECRET_KEY,
    SECRET_KEY_PREVIOUS,
    ...destinationVariables,
    DELIVERY_SCHEDULE: variable({
      schema: schedule,
      description:
        'Seconds to wait after each failed attempt to deliver a notification, plus a random 0 to 20 %. ' +
        'The default makes 12 attempts in about 71 hours.',
      default: '5,30,120,600,1800,3600,10800,21600,43200,86400,86400',
    }),
    DELIVERY_RETENTION_DAYS: variable({
      schema: days,
      description:
        `Days after which deliveries and attempts are deleted, at least ${MIN_STORAGE_DAYS}. ` +
        'All deliveries of a day are kept until the last one is finished.',
      default: '30',
    }),
    EVENT_RETENTION_DAYS: variable({
      schema: days,
      description: 'Days after which events and their explanations are deleted. At least `DELIVERY_RETENTION_DAYS`.',
      default: '400',
    }),
    AUDIT_RETENTION_DAYS: variable({
      schema: days,
      description: 'Days after which entries of the audit log are deleted, a month at a time.',
      default: '400',
    }),
    ...mailVariables,
    LOG_LEVEL,
    ...tracingVariables,
    LOG_FORMAT,
    RELEASE,
  },
  requirements: [
    ...keyRequirements,
    ...tlsRequirements,
    {
      variable: 'EVENT_RETENTION_DAYS',
      with: ['DELIVERY_RETENTION_DAYS'],
      violation: (environment) =>
        environment.EVENT_RETENTION_DAYS < environment.DELIVERY_RETENTION_DAYS
          ? 'must not be less than DELIVERY_RETENTION_DAYS, because events explain deliveries'
          : null,
    },
  ],
});

export type Environment = EnvironmentOf<typeof configuration.variables>;

/**
 * Reads the configuration of the notifier once, at its start. No other code of the app reads `process.env`.
 * @throws EnvironmentError that names every wrong variable
 */
export const loadEnvironment = (): Environment => readEnvironment(configuration, process.env);
