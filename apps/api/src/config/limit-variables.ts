import { schemas, variable } from '@ats/configuration';
import { Networks } from '@ats/destination-guard';

const count = schemas.wholeNumber({ most: 1_000_000 });

/**
 * Matches a network of all IP addresses (`/0`). If the API trusted such a proxy network, a client could choose the IP
 * address that limits count.
 */
const ALL_ADDRESSES = /\/0+\s*(,|$)/;

/** Validates a list of networks. Returns the list as text, because Fastify parses it itself. */
const networks = schemas.readBy(
  (text) => (Networks.parse(text) instanceof Networks && !ALL_ADDRESSES.test(text) ? text : null),
  'must be a comma-separated list of networks such as 10.20.0.0/16 or fd12:3456::/32, without /0',
);

/** The variables of the limits and of the trusted proxies. Source: docs/reference/limits.md. */
export const limitVariables = {
  RATE_LIMIT: variable({
    schema: count,
    description:
      'Requests that a credential may send in a window. `0` also switches off every limit whose variable is not set.',
    default: '50',
  }),
  RATE_LIMIT_WINDOW: variable({
    schema: schemas.wholeNumber({ least: 1, most: 3_600, unit: 'seconds' }),
    description: 'Length of a window in seconds. A window begins with the first request of a credential.',
    default: '10',
  }),
  CONCURRENCY_LIMIT: variable({
    schema: count,
    description:
      'Requests of a credential that may run at the same time, in all processes together. `0` means no limit.',
    whenAbsent: 'the value of `RATE_LIMIT`',
  }),
  READ_CONNECTIONS_LIMIT: variable({
    schema: count,
    description:
      'Connections for pages that one credential may use at the same time in a process, out of 8. `0` means no limit.',
    whenAbsent: '3, or no limit with `RATE_LIMIT=0`',
  }),
  DATABASE_TIME_LIMIT: variable({
    schema: schemas.wholeNumber({ most: 10_000_000, unit: 'milliseconds' }),
    description: 'Milliseconds of database time that a credential may use in a window. `0` means no limit.',
    whenAbsent: '250 for each request of `RATE_LIMIT`, at least 12500, or no limit with `RATE_LIMIT=0`',
  }),
  RESPONSE_SIZE_LIMIT: variable({
    schema: schemas.wholeNumber({ most: 10_000_000, unit: 'MiB' }),
    description: 'MiB of answers that a credential may get in a window, before compression. `0` means no limit.',
    whenAbsent: '2 for each request of `RATE_LIMIT`, at least 100, or no limit with `RATE_LIMIT=0`',
  }),
  AUTH_FAILURE_LIMIT: variable({
    schema: count,
    description: 'Requests without a valid credential that one address may send in a minute. `0` means no limit.',
    whenAbsent: '100, or no limit with `RATE_LIMIT=0`',
  }),
  BOARD_REQUEST_LIMIT: variable({
    schema: count,
    description: 'Requests to public boards that one address may send in a minute. `0` means no limit.',
    whenAbsent: '300, or no limit with `RATE_LIMIT=0`',
  }),
  BOARD_APPLICATION_LIMIT: variable({
    schema: count,
    description: 'Applications through public boards that one address may send in a minute. `0` means no limit.',
    whenAbsent: '10, or no limit with `RATE_LIMIT=0`',
  }),
  BOARD_UPLOAD_LIMIT: variable({
    schema: count,
    description: 'Uploads through public boards that one address may send in a minute. `0` means no limit.',
    whenAbsent: '20, or no limit with `RATE_LIMIT=0`',
  }),
  TRUSTED_PROXIES: variable({
    schema: networks,
    description: 'Networks of the proxies in front of the API. Their `X-Forwarded-For` headers are trusted.',
    whenAbsent: 'none',
    example: '10.0.0.0/8',
  }),
} as const;
