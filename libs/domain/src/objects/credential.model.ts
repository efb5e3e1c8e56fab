import { datetime, text, textList } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';

/** A key to the API: acts as a recruiter, within its scopes. The token itself is not stored. CONTRACT.md 2. */
export const credential = objectType({
  name: 'credential',
  table: 'credentials',
  scopes: ['credentials'],
  properties: {
    ...identity(urlIn('credentials')),
    name: text({ shown: true, write: 'required' }),
    key_id: text({ shown: true, description: 'The part of the token that is no secret.' }),
    scopes: textList({
      shown: true,
      write: 'required',
      description: 'Such as `applications:read`, `candidates:write`, or `*:read` for all.',
    }),
    api_version: text({
      shown: true,
      nullable: true,
      write: 'optional',
      maxLength: 8,
      description: 'For requests that name no version.',
    }),
    language: text({
      shown: true,
      nullable: true,
      write: 'optional',
      maxLength: 8,
      description: 'For requests that name no language.',
    }),
    expires_dt: datetime({ shown: true, nullable: true, write: 'optional' }),
    last_used_dt: datetime({ shown: true, nullable: true }),
    revoked_dt: datetime({ shown: true, nullable: true }),
    recruiter: toOne('recruiter', {
      shows: ['id', 'url'],
      write: 'optional',
      description: 'On whose behalf it acts: the user of its changes.',
    }),
  },
  privateColumns: { token_digest: { type: 'bytea' }, user_id: { type: 'bigint' } },
});

export const credentials = resource({
  name: 'credentials',
  type: credential,
  describe: {
    group: 'People and access',
    title: 'Credentials',
    text: 'Access tokens of integrations, with their scopes.',
  },
});
