import { type AttributeOptions, text, textList } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { LANGUAGES } from '../vocabulary/languages.js';
import { objectType } from '../vocabulary/object-type.js';
import { embedded } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';
import { type ApiVersion, type JsonSchema, type SettingsProperty } from '../vocabulary/settings-property.js';

const searchable = (name: string): JsonSchema => ({
  'x-datapath': `system.api_versions.${name}`,
  'x-filterable': true,
  'x-sortable': false,
});

const STATUSES = ['stable', 'preview'] as const satisfies ApiVersion['status'][];

/** The minor versions, newest first. Source: docs/reference/versions.md. */
const apiVersions: SettingsProperty = {
  schema: {
    type: 'array',
    description:
      'All supported minor versions, newest first. Requests without a version get the newest `stable` version.',
    items: {
      type: 'object',
      properties: {
        version: { type: 'string', description: 'The value for the header `Api-Version`.', ...searchable('version') },
        date: { type: 'string', format: 'date', ...searchable('date') },
        status: { type: 'string', enum: STATUSES, ...searchable('status') },
      },
      required: ['version', 'date', 'status'],
      additionalProperties: false,
    },
  },
  read: ({ apiVersions: served = [] }) => served,
  fields: {
    '*/version': 'api_versions.version',
    '*/date': 'api_versions.date',
    '*/status': 'api_versions.status',
  },
};

/** A list with one property of each minor version. The settings of a statement have the versions, see `sqlSettings`. */
const versionList = (name: keyof ApiVersion, type: 'text' | 'date'): NonNullable<AttributeOptions['computed']> => ({
  sql: (_alias, { apiVersions: served = "'[]'" }) =>
    `ARRAY(SELECT (version ->> '${name}')::${type} FROM jsonb_array_elements(${served}::jsonb) version)`,
  memory: (versions) => versions[name] ?? [],
});

/** The minor versions as lists, for searches. They are the same for every system. */
export const systemVersions = objectType({
  name: 'api_versions',
  properties: {
    version: textList({ computed: versionList('version', 'text') }),
    date: (name) => ({ ...textList({ computed: versionList('date', 'date') })(name), type: 'date' }),
    status: textList({ listed: () => STATUSES, computed: versionList('status', 'text') }),
  },
});

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
    languages: textList({ shown: true, listed: () => LANGUAGES }),
    default_language: text({ shown: true, values: LANGUAGES }),
    timezone: text({ shown: true, description: 'IANA name of the time zone for dates, such as those of postings.' }),
    api_versions: embedded('api_versions'),
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
