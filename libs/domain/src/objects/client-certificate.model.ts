import { message } from '@ats/message';
import { datetime, text } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';

/** Maximum length of the certificate, and of the private key, in characters. */
export const MAX_PEM_LENGTH = 20_000;

/**
 * A certificate with its private key. The service uses both to authenticate itself at the destinations of endpoints.
 * Source: docs/reference/notifications.md, "Client certificates".
 */
export const clientCertificate = objectType({
  name: 'client_certificate',
  table: 'client_certificates',
  scopes: ['notifications'],
  isSmall: true,
  errorCodes: { in_use: 'endpoints use the certificate, so it cannot be deleted' },
  properties: {
    ...identity(urlIn('client_certificates')),
    name: text({ shown: true, write: 'required' }),
    certificate: text({
      shown: true,
      content: 'key',
      write: 'required',
      maxLength: MAX_PEM_LENGTH,
      description: 'In PEM, followed by its issuers.',
    }),
    subject: text({ shown: true }),
    issuer: text({ shown: true }),
    serial_number: text({ shown: true }),
    fingerprint: text({ shown: true, description: 'The SHA-256 digest.' }),
    valid_from_dt: datetime({ shown: true }),
    valid_to_dt: datetime({ shown: true, description: 'The first expiry of all certificates.' }),
    owner: toOne('recruiter', {
      shows: ['id', 'url'],
      nullable: true,
      write: 'optional',
      description: 'The recruiter whose credentials may change and use the certificate.',
    }),
  },
  privateColumns: { sealed_private_key: { type: 'bytea' } },
});

export const clientCertificates = resource({
  name: 'client_certificates',
  type: clientCertificate,
  quotas: [{ most: 1_000 }],
  usedBy: [
    {
      resource: 'notification_endpoints',
      table: 'notification_endpoints',
      column: 'certificate_id',
      info: message`endpoints use this certificate`,
    },
  ],
  describe: {
    group: 'Notifications',
    title: 'Client certificates',
    text: 'Certificates with which the service authenticates itself at destinations.',
    example: { name: 'Bank', certificate: '-----BEGIN …', private_key: '-----BEGIN …' },
  },
  scope: 'notifications',
  adminScope: 'notifications:admin',
  owners: (alias) => ({ credential: 'NULL::bigint', recruiter: `${alias}.owner_id` }),
});
