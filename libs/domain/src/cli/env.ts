import {
  declareProcess,
  type EnvironmentOf,
  findMisspelled,
  type Misspelled,
  readEnvironment,
  sharedVariables,
  variable,
} from '@ats/configuration';
import { z } from 'zod';

/** The environment variables of `npm run migrate`. */
export const configuration = declareProcess({
  name: 'migrate',
  about: 'brings the database to the schema of the release',
  variables: {
    DATABASE_URL: sharedVariables.DATABASE_URL,
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
  },
});

/** Reads the environment. @throws {EnvironmentError} naming every invalid variable */
export const loadEnvironment = (): EnvironmentOf<typeof configuration.variables> =>
  readEnvironment(configuration, process.env);

/**
 * Variables of the environment that no process reads and whose names look like misspelled variables of this service.
 */
export const misspelledVariables = (): readonly Misspelled[] => findMisspelled(configuration, process.env);
