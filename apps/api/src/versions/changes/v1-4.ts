import { type OperationDescription } from '../../vocabulary/operation.js';
import { type ApiVersionDeclaration } from '../api-version.js';
import { withOldAddresses, withOldAddress } from '../old-addresses.js';
import { answerWith, renamed, withQueryNotes } from '../reshape.js';

const OLD_GROUPS = { vacancy_applications: 'applications', event_applications: 'event_registrations' };

/** Tags of the operations whose items contain URLs of applications. */
const TAGS_WITH_ADDRESSES = new Set(['applications', 'event_applications', 'communications']);

const withNotes = withQueryNotes({
  search:
    'The `url` of an application is compared in its newer form, with `vacancy_applications` or `event_applications`.',
  layout:
    'A column of the `url` of an application has the newer form, with `vacancy_applications` or `event_applications`.',
});
const describeQuery = (operation: OperationDescription): OperationDescription =>
  TAGS_WITH_ADDRESSES.has(operation.tag) ? withNotes(operation) : operation;

export const version: ApiVersionDeclaration = {
  version: '1.4',
  date: '2023-10-04',
  status: 'stable',
  changelog:
    '`applications` becomes `vacancy_applications`, and `event_registrations` becomes `event_applications`: ' +
    'in addresses (`url`, `Location`) and in the groups of `quick_search`. The old endpoints stay. ' +
    'Conditions of `search` and columns of layouts have the new names in every version.',
  upgrade:
    'Expect the new names in addresses. ' +
    'Read the groups `vacancy_applications` and `event_applications` of `quick_search`.',
  changes: [
    {
      endpoints: ['* *'],
      response: {
        body: withOldAddresses,
        isBodyAscii: true,
        errorBody: withOldAddresses,
        headers: { location: withOldAddress },
      },
      operation: describeQuery,
    },
    {
      endpoints: ['GET */quick_search'],
      response: { body: (json) => JSON.stringify(renamed(JSON.parse(json) as object, OLD_GROUPS)) },
      operation: answerWith((schema) => ({
        ...schema,
        properties: renamed(schema['properties'] as object, OLD_GROUPS),
      })),
    },
  ],
};
