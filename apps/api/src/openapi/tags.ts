import { allResources, type JsonSchema, type Resource } from '@ats/domain';

interface Tag {
  /** The name that operations refer to. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

interface Group {
  readonly name: Resource['describe']['group'];
  /** Names of resources and of `others` in display order. Resources that are not in the list follow, sorted by name. */
  readonly order: readonly string[];
  /** Tags of operations that belong to no resource. */
  readonly others?: readonly Tag[];
}

/**
 * Groups of tags in the reference, in display order: recruitment data comes first, the service itself last. The text of
 * a tag and the name of its group come from the description of the resource.
 */
const GROUPS: readonly Group[] = [
  {
    name: 'Recruitment',
    order: [
      'applications',
      'event_applications',
      'candidates',
      'vacancies',
      'events',
      'postings',
      'job_boards',
      'documents',
      'communications',
      'message_templates',
      'forms',
      'public_boards',
    ],
    others: [
      {
        name: 'public_boards',
        title: 'Public boards',
        text: 'Open postings of public job boards, their application forms and feeds, without a credential.',
      },
    ],
  },
  {
    name: 'Views',
    order: ['quick_search', 'changes', 'saved_searches', 'config_searches', 'selections', 'layouts'],
    others: [
      {
        name: 'changes',
        title: 'Changes feed',
        text: 'Every committed change of every item, for programs that keep a copy of the data.',
      },
      {
        name: 'quick_search',
        title: 'Quick search',
        text: 'Searches candidates, vacancies, events, postings and applications for one text, for search boxes.',
      },
    ],
  },
  {
    name: 'Notifications',
    order: [
      'notification_topics',
      'notification_subscriptions',
      'notification_endpoints',
      'client_certificates',
      'notification_deliveries',
      'notification_redeliveries',
      'notification_events',
    ],
  },
  { name: 'People and access', order: ['recruiters', 'users', 'credentials', 'audit_entries'] },
  {
    name: 'The service',
    order: ['systems', 'reference', 'health'],
    others: [
      {
        name: 'reference',
        title: 'Schemas and reference',
        text: 'Descriptions of the API, for programs and for people.',
      },
      { name: 'health', title: 'Health and metrics', text: 'Endpoints for operators.' },
    ],
  },
];

const place = (order: readonly string[], name: string): number =>
  order.includes(name) ? order.indexOf(name) : order.length;

function tagsIn({ name, order, others = [] }: Group): readonly Tag[] {
  const ofResources = allResources()
    .filter(({ describe }) => describe.group === name)
    .map((resource) => ({ name: resource.name, ...resource.describe }));
  return [...ofResources, ...others].sort((a, b) => place(order, a.name) - place(order, b.name));
}

const groups = GROUPS.map((group) => ({ name: group.name, tags: tagsIn(group) }));
const order = groups.flatMap(({ tags }) => tags.map(({ name }) => name));

/** Orders tag names as `GROUPS` lists them. Unknown names come last. */
export const compareTags = (a: string, b: string): number => place(order, a) - place(order, b);

/**
 * Returns `tags` of the document, and `x-tagGroups` for viewers that group operations. Contains only tags that
 * operations use.
 */
export function tagsOf(used: ReadonlySet<string>): JsonSchema {
  const shown = groups.map(({ name, tags }) => ({ name, tags: tags.filter((tag) => used.has(tag.name)) }));
  return {
    tags: shown.flatMap(({ tags }) =>
      tags.map(({ name, title, text }) => ({ name, description: text, 'x-displayName': title })),
    ),
    'x-tagGroups': shown.map(({ name, tags }) => ({ name, tags: tags.map((tag) => tag.name) })),
  };
}
