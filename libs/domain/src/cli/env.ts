import {
  declareProcess,
  type EnvironmentOf,
  findMisspelled,
  type Misspelled,
  readEnvironment,
  schemas,
  variable,
} from '@ats/configuration';
import { z } from 'zod';
import { sharedVariables } from '../environment/shared-variables.js';
import { isTimeZone } from '../objects/time-zone.js';
import { LANGUAGES } from '../vocabulary/languages.js';

/**
 * Accepts exactly the texts that the API accepts for the same setting, because clients can change the setting through
 * the API.
 */
const shortText = schemas.readBy(
  (text) => (text.trim() !== '' && text.length <= 255 && !/[\0\p{Surrogate}]/u.test(text) ? text : null),
  'must be a text of 1 to 255 characters',
);
const WHEN_SET = '`migrate` sets it as long as nobody has changed the setting.';

const hasUser = (url: string): boolean => new URL(url).username !== '';

/** The environment variables of `npm run migrate`. */
export const configuration = declareProcess({
  name: 'migrate',
  about: 'brings the database to the schema of the release',
  variables: {
    DATABASE_URL: sharedVariables.DATABASE_URL,
    API_DATABASE_URL: variable({
      schema: schemas.readBy(
        (text) =>
          schemas.serverUrl(['postgres:', 'postgresql:']).safeParse(text).success && hasUser(text) ? text : null,
        'must be a URL that starts with postgres:// or postgresql:// and names a user',
      ),
      description:
        'The `DATABASE_URL` of the API, when the API has a role of its own. `migrate` creates the role of this URL ' +
        'unless it exists, and grants it the privileges that the API needs.',
      whenAbsent: 'no role is created and nothing is granted',
      example: 'postgres://ats_api:password@host:5432/ats',
      isSecret: true,
    }),
    BOOTSTRAP_TOKEN: variable({
      schema: z.string().regex(/^ats_[A-Za-z0-9]{8,32}_[A-Za-z0-9_-]{43}$/, {
        error: 'must be ats_<key id of 8 to 32 letters or digits>_<43 base64url characters>',
      }),
      description:
        'Token of the first credential, which has every scope: ' +
        '`ats_<8 to 32 letters or digits>_<43 base64url characters>`.',
      whenAbsent: 'no credential is created',
      isSecret: true,
    }),
    SYSTEM_NAME: variable({
      schema: shortText,
      description: `First value of the system's \`name\`: ${WHEN_SET}`,
      whenAbsent: '`Recruitment`',
      example: 'Example Ltd Careers',
    }),
    SYSTEM_TIME_ZONE: variable({
      schema: schemas.readBy(
        (text) => (isTimeZone(text) ? text : null),
        'must be an IANA time zone, such as Europe/Berlin',
      ),
      description: `First value of the system's \`timezone\`, an IANA name: ${WHEN_SET}`,
      whenAbsent: '`UTC`',
      example: 'Europe/Berlin',
    }),
    SYSTEM_LANGUAGE: variable({
      schema: schemas.oneOf(LANGUAGES),
      description: `First value of the system's \`default_language\`, \`${LANGUAGES.join('`, `')}\`: ${WHEN_SET}`,
      whenAbsent: '`en`',
      example: 'de',
    }),
    SYSTEM_ENVIRONMENT: variable({
      schema: shortText,
      description: `First value of the system's \`environment\`: ${WHEN_SET}`,
      whenAbsent: '`production`',
      example: 'staging',
    }),
  },
});

/**
 * Reads the environment.
 * @throws {EnvironmentError} naming every invalid variable
 */
export const loadEnvironment = (): EnvironmentOf<typeof configuration.variables> =>
  readEnvironment(configuration, process.env);

/** Returns variables of the environment that no process reads, but whose names resemble variables of this service. */
export const misspelledVariables = (): readonly Misspelled[] => findMisspelled(configuration, process.env);
