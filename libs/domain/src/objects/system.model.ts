import { appList } from '../vocabulary/app-list.js';
import { integer, text, textList } from '../vocabulary/attribute.js';
import { type AttributeOptions } from '../vocabulary/attribute-options.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { LANGUAGES } from '../vocabulary/languages.js';
import { objectType } from '../vocabulary/object-type.js';
import { embedded } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';
import { type ApiVersion, type JsonSchema, type SettingsProperty } from '../vocabulary/settings-property.js';
import { domainSchema, domainValue } from './system-domain.js';
import { timeZoneSchema } from './time-zone.js';

/** A hundred years, in days. */
const MAX_RETENTION_DAYS = 36_500;
const MAX_NOTICE_DAYS = 365;

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
        version: {
          type: 'string',
          description: 'The value for the header `Api-Version`.',
          // The list of versions is read when the schema is used, because the API defines the versions.
          get enum() {
            return appList('api_versions')();
          },
          ...searchable('version'),
        },
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

/**
 * An attribute that lists one property of all minor versions. The versions come from the settings of the statement, see
 * `sqlSettings`.
 */
const versionList = (name: keyof ApiVersion, type: 'text' | 'date'): NonNullable<AttributeOptions['computed']> => ({
  sql: (_alias, { apiVersions: served = "'[]'" }) =>
    `ARRAY(SELECT (version ->> '${name}')::${type} FROM jsonb_array_elements(${served}::jsonb) version)`,
  memory: (versions) => versions[name] ?? [],
});

/** The minor versions as lists, so that searches can use them. These lists are the same for every system. */
export const systemVersions = objectType({
  name: 'api_versions',
  properties: {
    version: textList({ listed: appList('api_versions'), computed: versionList('version', 'text') }),
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
    name: text({
      shown: true,
      write: 'required',
      description: 'The name of the service, as in e-mails to candidates.',
    }),
    domain: text({
      shown: true,
      content: 'key',
      write: 'optional',
      isRequired: true,
      description:
        'The fully qualified domain name of the service. Defaults to the host of `PUBLIC_BASE_URL`, which also applies ' +
        'after `null` was written.',
      schema: domainSchema,
      computed: domainValue,
    }),
    environment: text({
      shown: true,
      content: 'fact',
      write: 'required',
      description: 'The kind of installation, such as `production`.',
    }),
    languages: textList({
      shown: true,
      listed: () => LANGUAGES,
      description: 'The languages in which texts can be written and read.',
    }),
    default_language: text({
      shown: true,
      write: 'required',
      values: LANGUAGES,
      description:
        'The language of requests whose credential and `Accept-Language` name none, and of localised texts that are ' +
        'written as a string.',
    }),
    timezone: text({
      shown: true,
      content: 'code',
      write: 'required',
      schema: timeZoneSchema,
      description:
        'IANA name of the time zone for dates, such as those of postings, and for `DATE("today")` in expressions. A ' +
        'change takes effect within a minute. An event keeps the time zone that it was raised in.',
    }),
    candidate_retention_days: integer({
      shown: true,
      nullable: true,
      write: 'optional',
      minimum: 1,
      maximum: MAX_RETENTION_DAYS,
      description:
        'The number of days without activity after which a candidate without a live application is anonymised. ' +
        'Null, the default, keeps all candidates. Each change starts a new notice period for every candidate.',
    }),
    retention_notice_days: integer({
      shown: true,
      write: 'optional',
      minimum: 1,
      maximum: MAX_NOTICE_DAYS,
      description:
        'The number of days between the event `CANDIDATE_ANONYMISATION_DUE` and the anonymisation. Defaults to 14.',
    }),
    api_versions: embedded('api_versions'),
  },
  privateColumns: { domain: { type: 'text' }, changed_settings: { type: 'text', isArray: true } },
  fromSettings: { api_versions: apiVersions },
});

export const systems = resource({
  name: 'systems',
  type: system,
  describe: {
    group: 'The service',
    title: 'System',
    text: 'The installation: its name, domain, time zone, languages and API versions. There is exactly one system.',
    example: {
      name: 'Example Ltd Careers',
      default_language: 'en',
      timezone: 'Europe/Berlin',
      environment: 'production',
    },
  },
});
