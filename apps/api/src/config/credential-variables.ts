import { schemas, variable } from '@ats/configuration';

/** The variables that bound credentials. Source: docs/reference/authentication.md, "Makers". */
export const credentialVariables = {
  CREDENTIAL_MAX_LIFETIME_DAYS: variable({
    schema: schemas.wholeNumber({ least: 1, most: 36_500, unit: 'days' }),
    description:
      'The greatest lifetime of a new credential in days. Later expiries are refused, and it is the default expiry. ' +
      'It does not apply to `BOOTSTRAP_TOKEN`.',
    whenAbsent: 'credentials may last forever',
    example: '365',
  }),
  CREDENTIAL_LIMIT: variable({
    schema: schemas.wholeNumber({ most: 1_000_000 }),
    description:
      'The maximum number of live credentials that one credential may create. Credentials created by those count ' +
      'too. `0` means no limit.',
    default: '1000',
  }),
} as const;
