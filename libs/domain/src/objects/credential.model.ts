import { message } from '@ats/message';
import { appList } from '../vocabulary/app-list.js';
import { datetime, text, textList } from '../vocabulary/attribute.js';
import { LANGUAGES } from '../vocabulary/languages.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { toOne } from '../vocabulary/relation.js';
import { networkSchema } from './allowed-network.js';
import { resource } from '../vocabulary/resource.js';
import { eventsOf } from '../vocabulary/event-declaration.js';

/**
 * The object behind a token. Requests with the token act for a recruiter and within the scopes of the credential. The
 * token itself is not stored. Source: docs/reference/authentication.md.
 */
export const credential = objectType({
  name: 'credential',
  table: 'credentials',
  scopes: ['credentials'],
  properties: {
    ...identity(urlIn('credentials')),
    name: text({ shown: true, write: 'required' }),
    key_id: text({ shown: true, description: 'The part of the token that is not secret.' }),
    scopes: textList({
      shown: true,
      write: 'required',
      listed: appList('scopes'),
      description:
        'Permissions such as `applications:read` or `candidates:write`; `*:read` permits reading everything. ' +
        '`GET /scopes` lists all of them.',
    }),
    api_version: text({
      shown: true,
      nullable: true,
      write: 'optional',
      maxLength: 8,
      listed: appList('api_versions'),
      description: 'The minor version for requests that do not name a version.',
    }),
    language: text({
      shown: true,
      nullable: true,
      write: 'optional',
      values: LANGUAGES,
      description: 'The language for requests that do not name a language.',
    }),
    expires_dt: datetime({
      shown: true,
      nullable: true,
      write: 'optional',
      description: 'Defaults to the latest time that the maker and the service allow.',
    }),
    allowed_cidrs: textList({
      shown: true,
      write: 'optional',
      element: networkSchema,
      description:
        'The networks from which the credential may be used, such as `203.0.113.0/24`. Empty for everywhere. ' +
        'Defaults to the networks of the maker.',
    }),
    last_used_dt: datetime({ shown: true, nullable: true }),
    revoked_dt: datetime({ shown: true, nullable: true }),
    recruiter: toOne('recruiter', {
      shows: ['id', 'url'],
      write: 'optional',
      description: 'The recruiter for whom the credential acts. This recruiter is recorded as the user of its changes.',
    }),
    created_by: toOne('credential', {
      shows: ['id', 'url'],
      nullable: true,
      description: 'The credential that created this one. Null for the first credential and for those of old releases.',
    }),
  },
  privateColumns: {
    token_digest: { type: 'bytea' },
    user_id: { type: 'bigint' },
    maker_ids: { type: 'bigint', isArray: true },
  },
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

/** The events of credentials, for operators. No event contains the token. */
export const credentialEvents = eventsOf('credential', {
  CREDENTIAL_CREATED: { on: 'create', text: message`A credential was created.` },
  CREDENTIAL_REVOKED: { on: 'revoke', text: message`A credential was revoked.` },
});
