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

/** All that `npm run migrate` reads of its environment. */
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
        'Token of the first credential, which has every scope: `ats_<8 to 32 letters or digits>_<43 base64url characters>`.',
      whenAbsent: 'no credential is created',
      isSecret: true,
    }),
  },
});

/** @throws {EnvironmentError} naming every wrong variable */
export const loadEnvironment = (): EnvironmentOf<typeof configuration.variables> =>
  readEnvironment(configuration, process.env);

/** Variables that look like misspelled ones of ours: worth a warning. */
export const misspelledVariables = (): readonly Misspelled[] => findMisspelled(configuration, process.env);
