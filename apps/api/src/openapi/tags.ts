import { type JsonSchema } from '@ats/domain';

interface Tag {
  /** As operations name it. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** Of operations under a second name of their path. */
export const OTHER_NAMES_TAG = 'other_names';

/** The headings of the reference in its order: what integrators come for first, the machinery last. */
const GROUPS: readonly { readonly name: string; readonly tags: readonly Tag[] }[] = [
  {
    name: 'Recruitment',
    tags: [
      {
        name: 'applications',
        title: 'Applications',
        description: 'Applications of candidates to vacancies, and where each stands in its process.',
      },
      {
        name: 'event_applications',
        title: 'Event applications',
        description: 'Registrations of candidates for events. They differ from applications in their process alone.',
      },
      {
        name: 'candidates',
        title: 'Candidates',
        description: 'People who apply. The id of a candidate is that of the user who he or she is.',
      },
      {
        name: 'vacancies',
        title: 'Vacancies',
        description: 'Jobs to fill. They share ids with events: an id is either a vacancy or an event.',
      },
      {
        name: 'events',
        title: 'Events',
        description:
          'Open days, fairs and the like. They share ids with vacancies: an id is either a vacancy or an event.',
      },
      {
        name: 'postings',
        title: 'Postings',
        description: 'A vacancy as it is shown on a job board, from one day to another.',
      },
      { name: 'job_boards', title: 'Job boards', description: 'Where vacancies are posted.' },
      {
        name: 'communications',
        title: 'Communications',
        description: `What was said to candidates and by them: e-mails, text messages and notes, each with what became of it. They are written below the application that they are
about, and stay as they were said. E-mails leave by the service itself; where no mail server is configured they stay \`queued\`, to be read here.`,
      },
      {
        name: 'message_templates',
        title: 'Message templates',
        description:
          'Texts with placeholders such as `{{ application.user.firstname }}`, filled in for one application at a time. Any datapath will do; values are escaped.',
      },
      {
        name: 'forms',
        title: 'Forms',
        description: 'Questions of your own about applications, vacancies and events, and when to ask them.',
      },
    ],
  },
  {
    name: 'Views',
    tags: [
      {
        name: 'quick_search',
        title: 'Quick search',
        description: 'One text looked for in everything that has a name, for a search box.',
      },
      {
        name: 'saved_searches',
        title: 'Saved searches',
        description:
          'Searches of recruiters: `saved_search=<id>` narrows a collection by one. Everybody sees the shared ones and their own.',
      },
      {
        name: 'config_searches',
        title: 'Configured searches',
        description: 'Searches set up for everybody: `config_search=<id>` narrows a collection by one.',
      },
      {
        name: 'selections',
        title: 'Selections',
        description:
          'Named sets of items of one collection, picked one by one: `selection=<id>` narrows the collection to them. What is deleted leaves its selections.',
      },
      {
        name: 'layouts',
        title: 'Layouts',
        description:
          'Columns of your choice: with `layout=<id>` each item of the layout’s collection has their values in `layout_data`.',
      },
    ],
  },
  {
    name: 'Notifications',
    tags: [
      {
        name: 'notification_topics',
        title: 'Topics',
        description: `What you want to hear of: events of one type, and of those the ones for which an expression holds. A topic sends nothing by itself; subscribe to it.

[Try](#operation/post_notification_topics_preview) an expression on past events before you write a topic with it, and ask afterwards
[why](#operation/get_notification_topics_by_id_explain) an event was or was not notified.`,
      },
      {
        name: 'notification_subscriptions',
        title: 'Subscriptions',
        description: `Where and when to send what a topic selects. Messages are posted as JSON and hold ids and addresses, no data; any 2xx within 10 seconds
accepts one, else it is sent again later, with the same \`message_id\`.

To know that a message is ours, read the header \`x-service-notify-signature\`: \`<timestamp>,<signature>\`. The signature is the
HMAC-SHA256, in lowercase hexadecimal, of \`<timestamp>.<body>\`, where the key is the text of \`signing_key\` as it stands and the body is the bytes you
received. Then compare the timestamp with your clock. The headers of [Standard Webhooks](https://www.standardwebhooks.com) are there too;
its libraries take \`standard_webhooks_secret\`.`,
      },
      {
        name: 'notification_deliveries',
        title: 'Deliveries',
        description: `The log of what was sent: one delivery for each event and subscription, with every attempt and what came of it. Any 2xx whose headers arrive within 10
seconds is a success; everything else is tried again after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 6 h, 12 h, 24 h and 24 h, up to a fifth of that
later. A destination that answers 410 is disabled at once, one without a success for 5 days too; what is pending then is held. Deliveries are kept for 30 days unless configured otherwise, and longer
while they are not finished. The log says nothing of people: when a candidate is anonymised, what destinations answered about his or her applications goes too.`,
      },
      {
        name: 'notification_redeliveries',
        title: 'Redeliveries',
        description:
          'Messages that were sent already, sent again: for a destination that was away too long, or has lost what it had received.',
      },
      {
        name: 'notification_events',
        title: 'Events',
        description: 'What happened, whether a topic selected it or not.',
      },
    ],
  },
  {
    name: 'People and access',
    tags: [
      { name: 'recruiters', title: 'Recruiters', description: 'Who looks after vacancies and applications.' },
      {
        name: 'users',
        title: 'Users',
        description: 'Everybody, read only: candidates, recruiters and credentials make users.',
      },
      { name: 'credentials', title: 'Credentials', description: 'Tokens of integrations, and what each may do.' },
    ],
  },
  {
    name: 'The service',
    tags: [
      { name: 'systems', title: 'System', description: 'The installation itself.' },
      {
        name: 'reference',
        title: 'Schemas and reference',
        description: 'What the interface says of itself, for programs and for people.',
      },
      {
        name: OTHER_NAMES_TAG,
        title: 'Other names',
        description: 'The same operations under the names that older clients know.',
      },
      { name: 'health', title: 'Health and metrics', description: 'For whoever runs the service.' },
    ],
  },
];

const order = GROUPS.flatMap(({ tags }) => tags.map(({ name }) => name));

/** By the place of their tags; those that have none come last. */
export const compareTags = (a: string, b: string): number => place(a) - place(b);
const place = (tag: string): number => (order.includes(tag) ? order.indexOf(tag) : order.length);

/** `tags` and, for readers that show groups of them, `x-tagGroups`; only what operations use. */
export function tagsOf(used: ReadonlySet<string>): JsonSchema {
  const groups = GROUPS.map(({ name, tags }) => ({ name, tags: tags.filter((tag) => used.has(tag.name)) }));
  return {
    tags: groups.flatMap(({ tags }) =>
      tags.map(({ name, title, description }) => ({ name, description, 'x-displayName': title })),
    ),
    'x-tagGroups': groups.map(({ name, tags }) => ({ name, tags: tags.map((tag) => tag.name) })),
  };
}
