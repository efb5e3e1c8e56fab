import { parse, stringify } from 'lossless-json';
import { type ApiVersionDeclaration } from '../api-version.js';
import { answerWith, withQueryNotes } from '../reshape.js';

interface System {
  /** The domain name. Absent when the answer leaves it out because of `fields`. */
  readonly domain?: string;
}

/** Shortens `jobs.example.com` to `jobs`. */
const withHostLabel = (system: System): System =>
  system.domain === undefined ? system : { ...system, domain: system.domain.split('.', 1)[0] ?? '' };

const withDomainAsLabel = answerWith((schema) => {
  const properties = schema['properties'] as Readonly<Record<string, object>>;
  return {
    ...schema,
    properties: {
      ...properties,
      domain: { ...properties['domain'], description: 'The first label of the domain name only, such as `jobs`.' },
    },
  };
});

const withNotes = withQueryNotes({
  search: '`domain` is compared as a whole domain name.',
  filter: '`domain` is searched as a whole domain name.',
  sort: '`domain` is sorted as a whole domain name.',
  layout: 'A column of `system.domain` contains the whole domain name.',
});

export const version: ApiVersionDeclaration = {
  version: '1.5',
  date: '2024-02-07',
  status: 'stable',
  changelog:
    'Systems endpoints: `domain` is a fully qualified domain name. Before, it was the first label only. ' +
    '`search`, `filter`, `sort` and columns of layouts use the whole name in every version.',
  upgrade: 'Where you need the first label only, cut `domain` at its first `.`.',
  changes: [
    {
      endpoints: ['GET /api/v1/systems', 'GET /api/v1/systems/:id', 'PATCH /api/v1/systems/:id'],
      response: {
        body: (json) => {
          const answer = parse(json) as System | readonly System[];
          return stringify(Array.isArray(answer) ? answer.map(withHostLabel) : withHostLabel(answer as System)) ?? json;
        },
      },
      operation: (operation) => withNotes(withDomainAsLabel(operation)),
    },
  ],
};
