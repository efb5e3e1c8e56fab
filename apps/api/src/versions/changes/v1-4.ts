import { type ApiVersionDeclaration } from '../api-version.js';
import { answerWith, renamed } from '../reshape.js';
import { withOldAddresses, withOldAddress } from '../old-addresses.js';

const OLD_GROUPS = { vacancy_applications: 'applications', event_applications: 'event_registrations' };

export const version: ApiVersionDeclaration = {
  version: '1.4',
  date: '2023-10-04',
  status: 'stable',
  changelog:
    '`applications` becomes `vacancy_applications`, and `event_registrations` becomes `event_applications`: in addresses (`url`, `Location`) and in the groups of `quick_search`. The old endpoints stay.',
  upgrade: 'Expect the new names in addresses, and read the groups `vacancy_applications` and `event_applications` of `quick_search`.',
  changes: [
    { endpoints: ['* *'], response: { body: withOldAddresses, headers: { location: withOldAddress } } },
    {
      endpoints: ['GET */quick_search'],
      response: { body: (json) => JSON.stringify(renamed(JSON.parse(json) as object, OLD_GROUPS)) },
      operation: answerWith((schema) => ({ ...schema, properties: renamed(schema['properties'] as object, OLD_GROUPS) })),
    },
  ],
};
