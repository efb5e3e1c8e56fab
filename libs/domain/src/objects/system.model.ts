import { text, textList } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { resource } from '../vocabulary/resource.js';
import { type ApiVersion, type SettingsProperty } from '../vocabulary/settings-property.js';

/** The minor versions, newest first. Source: docs/reference/versions.md. */
const apiVersions: SettingsProperty = {
  schema: {
    type: 'array',
    description:
      'All supported minor versions, newest first. Requests without a version get the newest `stable` version.',
    items: {
      type: 'object',
      properties: {
        version: { type: 'string', description: 'The value for the header `Api-Version`.' },
        date: { type: 'string', format: 'date' },
        status: { type: 'string', enum: ['stable', 'preview'] satisfies ApiVersion['status'][] },
      },
      required: ['version', 'date', 'status'],
      additionalProperties: false,
    },
  },
  read: ({ apiVersions: served = [] }) => served,
};

/** One installation of the service. */
export const system = objectType({
  name: 'system',
  table: 'systems',
  isSmall: true,
  scopes: ['systems'],
  properties: {
    ...identity(urlIn('systems')),
    name: text({ shown: true }),
    domain: text({ shown: true }),
    environment: text({ shown: true }),
    languages: textList({ shown: true }),
    default_language: text({ shown: true }),
    timezone: text({ shown: true, description: 'IANA name of the time zone for dates, such as those of postings.' }),
  },
  fromSettings: { api_versions: apiVersions },
});

export const systems = resource({
  name: 'systems',
  type: system,
  describe: {
    group: 'The service',
    title: 'System',
    text: 'The installation: its name, domain, languages and API versions.',
  },
});
