import { parse, stringify } from 'lossless-json';
import { type OperationDescription } from '../../vocabulary/operation.js';
import { type ApiVersionDeclaration } from '../api-version.js';
import { answerWith, without } from '../reshape.js';

interface Entry {
  readonly type: string;
  /** The time of the change, for example `2024-10-03T09:00:00.000Z`. */
  readonly date: string;
}

interface Page {
  readonly items: readonly Entry[];
}

/** Removes `type`, and writes the date in the form `2024-10-03 09:00:00`, in UTC. */
const olderEntry = (entry: Entry) =>
  without({ ...entry, date: entry.date.replace('T', ' ').slice(0, 'YYYY-MM-DD HH:MM:SS'.length) }, 'type');

interface EntrySchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

const olderSchema = ({ properties, required, ...schema }: EntrySchema): EntrySchema => ({
  ...schema,
  properties: {
    ...without(properties, 'type'),
    date: {
      type: 'string',
      pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
      examples: ['2026-11-28 09:30:00'],
      description: 'Time in UTC.',
    },
  },
  required: required.filter((name) => name !== 'type'),
});

const asList = answerWith(({ properties }) => ({
  type: 'array',
  items: olderSchema((properties as { readonly items: { readonly items: EntrySchema } }).items.items),
}));

const withoutHasMore = ({ description, ...operation }: OperationDescription): OperationDescription => ({
  ...operation,
  ...(description !== undefined && {
    description: description.replace('While `has_more` is true', 'Until a page has fewer entries than `per_page`'),
  }),
});

export const version: ApiVersionDeclaration = {
  version: '1.7',
  date: '2024-10-03',
  status: 'stable',
  changelog:
    'History: an object with `items` and the boolean `has_more`. Entries have `type`, and `date` is ISO 8601. ' +
    'Before, the answer was the bare list, without `type`, and `date` was `YYYY-MM-DD HH:MM:SS` in UTC.',
  upgrade: 'Read the entries from `items`, and parse `date` as ISO 8601.',
  changes: [
    {
      endpoints: ['GET */history'],
      // `lossless-json` keeps all digits of the numbers in `changes`.
      response: { body: (json) => stringify((parse(json) as Page).items.map(olderEntry)) ?? json },
      operation: (operation) => withoutHasMore(asList(operation)),
    },
  ],
};
