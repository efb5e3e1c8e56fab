import { parse, stringify } from 'lossless-json';
import { type ApiVersionDeclaration } from '../api-version.js';
import { answerWith, noting } from '../reshape.js';

interface System {
  readonly domain: string;
}

/** `jobs` of `jobs.example.com`. */
const withHostLabel = (system: System): System => ({ ...system, domain: system.domain.split('.', 1)[0] ?? '' });

const withDomainAsLabel = answerWith((schema) => {
  const properties = schema['properties'] as Readonly<Record<string, object>>;
  return {
    ...schema,
    properties: {
      ...properties,
      domain: { ...properties['domain'], description: 'The host label alone, without the rest of the domain name.' },
    },
  };
});

const withNotes = noting({
  search: '`domain` is compared as a whole, with the rest of the domain name.',
  filter: 'Of `domain` it may be in the rest of the domain name, too.',
  sort: '`domain` counts as a whole, with the rest of the domain name.',
  layout: 'A column of `system.domain` shows the whole domain name.',
});

export const version: ApiVersionDeclaration = {
  version: '1.5',
  date: '2024-02-07',
  status: 'stable',
  changelog:
    'Systems endpoints: `domain` is a fully qualified domain name. Before: the host label alone. Conditions of `search`, `filter` and columns of layouts know the whole name in every version.',
  upgrade: 'Take the host label from `domain` up to its first `.`, where you need it alone.',
  changes: [
    {
      endpoints: ['GET /api/v1/systems', 'GET /api/v1/systems/:id'],
      response: {
        body: (json) => {
          const answer = parse(json) as System | readonly System[];
          return stringify('domain' in answer ? withHostLabel(answer) : answer.map(withHostLabel)) ?? json;
        },
      },
      operation: (operation) => withNotes(withDomainAsLabel(operation)),
    },
  ],
};
