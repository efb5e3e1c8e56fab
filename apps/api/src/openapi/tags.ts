import { type JsonSchema } from '@ats/domain';

interface Tag {
  /** The name that operations refer to. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** Tag of operations that repeat another operation under an older path. */
export const OTHER_NAMES_TAG = 'other_names';

/** Headings of the reference in display order: recruitment data first, the service itself last. */
const GROUPS: readonly { readonly name: string; readonly tags: readonly Tag[] }[] = [
  {
    name: 'Recruitment',
    tags: [
      {
        name: 'applications',
        title: 'Applications',
        description: 'Applications of candidates to vacancies, with their current process state.',
      },
      {
        name: 'event_applications',
        title: 'Event applications',
        description: 'Registrations of candidates for events. Only their process differs from that of applications.',
      },
      {
        name: 'candidates',
        title: 'Candidates',
        description: 'People who apply. A candidate has the same id as its user.',
      },
      {
        name: 'vacancies',
        title: 'Vacancies',
        description:
          'Jobs to fill. Vacancies and events share one id sequence: an id names either a vacancy or an event.',
      },
      {
        name: 'events',
        title: 'Events',
        description: `Open days, fairs and similar. Vacancies and events share one id sequence: an id names either
a vacancy or an event.`,
      },
      {
        name: 'postings',
        title: 'Postings',
        description: 'A vacancy published on a job board between two dates.',
      },
      { name: 'job_boards', title: 'Job boards', description: 'Places where vacancies are published.' },
      {
        name: 'communications',
        title: 'Communications',
        description: `E-mails, text messages and notes to and from candidates, each with its delivery status. Create
them below the application that they belong to. They cannot be changed later. The service sends e-mails itself.
Without a configured mail server they stay \`queued\` and can still be read here.`,
      },
      {
        name: 'message_templates',
        title: 'Message templates',
        description: `Texts with placeholders such as \`{{ application.user.firstname }}\`, which are filled
in for one application at a time. A placeholder may be any datapath. Values are escaped.`,
      },
      {
        name: 'forms',
        title: 'Forms',
        description:
          'Custom questions about applications, vacancies and events. Conditions decide when a question appears.',
      },
    ],
  },
  {
    name: 'Views',
    tags: [
      {
        name: 'quick_search',
        title: 'Quick search',
        description: 'Looks for one text in all named objects. Meant for a search box.',
      },
      {
        name: 'saved_searches',
        title: 'Saved searches',
        description: `Stored searches of recruiters. \`saved_search=<id>\` applies one to a collection. A
recruiter sees his or her own searches and the shared ones.`,
      },
      {
        name: 'config_searches',
        title: 'Configured searches',
        description: 'Stored searches for all users. `config_search=<id>` applies one to a collection.',
      },
      {
        name: 'selections',
        title: 'Selections',
        description: `Named sets of hand-picked items of one collection. \`selection=<id>\` limits a
collection to them. A deleted item leaves all its selections.`,
      },
      {
        name: 'layouts',
        title: 'Layouts',
        description: `Lists of columns. With \`layout=<id>\`, each item of the layout’s collection carries
the values of these columns in \`layout_data\`.`,
      },
    ],
  },
  {
    name: 'Notifications',
    tags: [
      {
        name: 'notification_topics',
        title: 'Topics',
        description: `A topic selects events: one event type, and optionally an expression that the event must match.
A topic sends nothing by itself. Create a subscription to receive its events.

[Preview](#operation/post_notification_topics_preview) an expression against past events before you create a topic.
[Explain](#operation/get_notification_topics_by_id_explain) says why an event was or was not notified.`,
      },
      {
        name: 'notification_subscriptions',
        title: 'Subscriptions',
        description: `A subscription sends the events of a topic to a destination for a period of time. Messages are
JSON, sent by POST. They hold ids and addresses, never data. Any 2xx answer within 10 seconds is a success. Otherwise
the message is sent again later with the same \`message_id\`.

To verify a message, read the header \`x-service-notify-signature\`: \`<timestamp>,<signature>\`. The signature is the
HMAC-SHA256 of \`<timestamp>.<body>\` in lowercase hexadecimal. Its key is the text of \`signing_key\` as you received
it, and the body is the exact bytes you received. Then compare the timestamp with your clock. Messages also carry the
headers of [Standard Webhooks](https://www.standardwebhooks.com). Its libraries take \`standard_webhooks_secret\`.`,
      },
      {
        name: 'notification_deliveries',
        title: 'Deliveries',
        description: `The delivery log: one delivery for each event and subscription, with every attempt and its
result. A 2xx answer whose headers arrive within 10 seconds is a success. Everything else is retried after 5 s, 30 s,
2 min, 10 min, 30 min, 1 h, 3 h, 6 h, 12 h, 24 h and 24 h, plus up to 20 %. A 410 disables the subscription at once.
So do 5 days without a success. Pending deliveries of a disabled subscription are held. Deliveries are kept for 30
days by default, and longer while they are unfinished. The log holds no personal data: anonymising a candidate also
removes what destinations answered about his or her applications.`,
      },
      {
        name: 'notification_redeliveries',
        title: 'Redeliveries',
        description: `Repeated sending of past messages, for a destination that was unavailable for too long
or lost what it had received.`,
      },
      {
        name: 'notification_events',
        title: 'Events',
        description: 'All recorded events, including those that no topic selected.',
      },
    ],
  },
  {
    name: 'People and access',
    tags: [
      { name: 'recruiters', title: 'Recruiters', description: 'People who manage vacancies and applications.' },
      {
        name: 'users',
        title: 'Users',
        description: 'All users, read only. Creating a candidate, a recruiter or a credential creates its user.',
      },
      { name: 'credentials', title: 'Credentials', description: 'Access tokens of integrations, with their scopes.' },
    ],
  },
  {
    name: 'The service',
    tags: [
      {
        name: 'systems',
        title: 'System',
        description: 'The installation: its name, domain, languages and API versions.',
      },
      {
        name: 'reference',
        title: 'Schemas and reference',
        description: 'Descriptions of the API, for programs and for people.',
      },
      {
        name: OTHER_NAMES_TAG,
        title: 'Other names',
        description: 'The same operations under older paths.',
      },
      { name: 'health', title: 'Health and metrics', description: 'Endpoints for operators.' },
    ],
  },
];

const order = GROUPS.flatMap(({ tags }) => tags.map(({ name }) => name));

/** Orders tag names as the groups above list them. Unknown names come last. */
export const compareTags = (a: string, b: string): number => place(a) - place(b);
const place = (tag: string): number => (order.includes(tag) ? order.indexOf(tag) : order.length);

/** The document's `tags`, and `x-tagGroups` for viewers that group them. Contains only tags that operations use. */
export function tagsOf(used: ReadonlySet<string>): JsonSchema {
  const groups = GROUPS.map(({ name, tags }) => ({ name, tags: tags.filter((tag) => used.has(tag.name)) }));
  return {
    tags: groups.flatMap(({ tags }) =>
      tags.map(({ name, title, description }) => ({ name, description, 'x-displayName': title })),
    ),
    'x-tagGroups': groups.map(({ name, tags }) => ({ name, tags: tags.map((tag) => tag.name) })),
  };
}
