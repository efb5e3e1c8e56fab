import { allResources, objectModel, representationSchema, requiredScopes } from '@ats/domain';
import { type Api } from '../support/api-harness.js';
import { canariesIn } from './canaries.js';

type Row = Readonly<Record<string, unknown>>;
/** Scopes that a credential must have together. */
export type ScopeSet = readonly string[];
/** Sets of scopes. A reader needs all scopes of at least one set. Empty for a value that no scope shows. */
export type Readers = readonly ScopeSet[];

/** The place where a value is stored: the table, the column, and the row with its canaries. */
interface Place {
  readonly table: string;
  readonly column: string;
  readonly row: Row;
}

/** The scopes that allow a credential to read each value. They depend on the table and the column of the value. */
export interface AllowedReaders {
  /** Maps a canary to its readers. A canary that is stored in several places has the readers of all of them. */
  readonly byCanary: ReadonlyMap<string, Readers>;
  /**
   * Maps a column, as `<table>.<column>`, to the canaries in it.
   * @param column  `<table>.<column>`
   */
  readonly inColumn: ReadonlyMap<string, readonly string[]>;
  /** Columns with canaries for which neither the model nor this file has a rule. */
  readonly unknown: readonly string[];
}

/** Reads the whole database. Decides for each canary which scopes may show it. */
export async function findAllowedReaders(api: Api): Promise<AllowedReaders> {
  const shown = shownColumns();
  const tables = await readTables(api);
  const byCanary = new Map<string, Readers>();
  const inColumn = new Map<string, string[]>();
  const unknown = new Set<string>();
  for (const [table, rows] of tables) {
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        const canaries = canariesIn(typeof value === 'string' ? value : JSON.stringify(value));
        if (canaries.size === 0) continue;
        const readers = readersOf({ table, column, row }, tables, shown);
        if (!readers) unknown.add(`${table}.${column}`);
        inColumn.set(`${table}.${column}`, [...(inColumn.get(`${table}.${column}`) ?? []), ...canaries]);
        for (const canary of canaries) {
          const own = table === 'domain_events' ? readersOfFact(canary, value) : (readers ?? []);
          byCanary.set(canary, [...(byCanary.get(canary) ?? []), ...own]);
        }
      }
    }
  }
  return { byCanary, inColumn, unknown: [...unknown] };
}

type Tables = ReadonlyMap<string, readonly Row[]>;

async function readTables({ database }: Api): Promise<Tables> {
  const names = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const tables = new Map<string, readonly Row[]>();
  for (const { name } of names) {
    const rows = await database.query<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM ${name} t`);
    tables.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return tables;
}

/** A column that a representation shows. */
interface ShownColumn {
  readonly scope: string;
  /**
   * Values of columns that select the rows of the resource, when several resources share the table. Empty for related
   * objects.
   */
  readonly fixed: Readonly<Record<string, string>>;
}

/**
 * Maps each column that the published representations show, as `<table>.<column>`, to the ways in which they show it.
 */
function shownColumns(): ReadonlyMap<string, readonly ShownColumn[]> {
  const shown = new Map<string, ShownColumn[]>();
  for (const resource of allResources()) {
    const { type, scope, fixed } = resource;
    for (const datapath of datapathsIn(representationSchema(resource))) {
      const path = datapath.split('.').slice(1);
      const own = path.length === 1 ? { ...type.fixed, ...fixed } : {};
      for (const column of columnsOf(type.name, path))
        shown.set(column, [...(shown.get(column) ?? []), { scope: `${scope}:read`, fixed: own }]);
    }
  }
  return shown;
}

const datapathsIn = (schema: unknown): readonly string[] =>
  typeof schema === 'object' && schema !== null
    ? Object.entries(schema).flatMap(([name, value]) =>
        name === 'x-datapath' && typeof value === 'string' ? [value] : datapathsIn(value),
      )
    : [];

/**
 * Returns the columns of a datapath, as `<table>.<column>`. A rich text has two columns, and a computed value has none.
 */
export function columnsOf(root: string, path: readonly string[]): readonly string[] {
  let type = objectModel.type(root);
  let table = type?.table;
  for (const name of path.slice(0, -1)) {
    type = objectModel.type(type?.relations[name]?.target ?? '');
    table = type?.table ?? table;
  }
  const attribute = type?.attributes[path.at(-1) ?? ''];
  return [attribute?.column?.name, attribute?.htmlColumn].flatMap((column) =>
    column === undefined || table === undefined ? [] : [`${table}.${column}`],
  );
}

function readersOf(
  place: Place,
  tables: Tables,
  shown: ReadonlyMap<string, readonly ShownColumn[]>,
): Readers | undefined {
  const { table, column, row } = place;
  const name = `${table}.${column}`;
  const rule = RULES[name] ?? RULES[`${table}.*`];
  if (rule) return rule(row, tables);
  if (COPIES.has(name) || COPIES.has(`${table}.*`)) return [];
  return shown
    .get(name)
    ?.filter(({ fixed }) => Object.entries(fixed).every(([key, value]) => row[key] === value))
    .map(({ scope }) => [scope]);
}

/** Columns and tables whose values no answer shows. */
const COPIES: ReadonlySet<string> = new Set([
  ...['users', 'opportunities', 'postings'].map((table) => `${table}.quick_search_text`),
  ...['user', 'candidate', 'recruiter'].map((type) => `users.${type}_search_text`),
  ...['firstname', 'lastname', 'email'].map((column) => `users.${column}_folded`),
  ...['vacancy', 'event'].map((type) => `opportunities.${type}_search_text`),
  'opportunities.title_folded',
  ...['candidate_addresses', 'candidate_emails', 'candidate_phones', 'candidate_urls', 'applications'].map(
    (table) => `${table}.search_text`,
  ),
  ...['communications', 'documents', 'message_templates', 'scoring_rules'].map((table) => `${table}.search_text`),
  'quick_search_words.*',
  'notification_subscription_revisions.*',
  'notification_topic_revisions.*',
  'notification_subscriptions.destination_origin',
  'notification_subscriptions.active_from_dt',
  'notification_attempts.response_headers',
]);

const rowOf = (tables: Tables, table: string, id: unknown): Row =>
  tables.get(table)?.find((row) => row['id'] === id) ?? {};

/** Returns the read scopes of the datapath with which an expression in this world begins. */
function scopesOfExpression(expression: unknown): ScopeSet {
  const [, root = '', path = ''] = /^(\w+)\.(\S+)/.exec(String(expression)) ?? [];
  return requiredScopes(root, path);
}

const scopesOfDelivery = (delivery: Row, tables: Tables): ScopeSet => [
  'notifications:read',
  `${String(delivery['subject_type'])}s:read`,
  ...scopesOfExpression(rowOf(tables, 'notification_topics', delivery['topic_id'])['expression']),
];

const opportunityScope = (tables: Tables, id: unknown): string =>
  rowOf(tables, 'opportunities', id)['kind'] === 'event' ? 'events:read' : 'vacancies:read';

/** Returns the scopes, as their parts before the colon, of the objects that have values of a form item. */
function ownerOfItem(itemId: unknown, tables: Tables): string {
  const section = rowOf(tables, 'form_sections', rowOf(tables, 'form_items', itemId)['section_id']);
  const { resource } = rowOf(tables, 'forms', section['form_id']);
  return String(resource).replace('event_applications', 'applications');
}

const actionsOf = (resource: string, actions: readonly string[]): Readers =>
  actions.map((action) => [`${resource}:${action}`]);

/** Rules that the representations do not state. Source: docs/reference/authentication.md. */
const RULES: Readonly<Record<string, (row: Row, tables: Tables) => Readers>> = {
  'notification_topics.expression': ({ expression }) => [['notifications:read', ...scopesOfExpression(expression)]],
  'notification_deliveries.request_id': (row, tables) => [scopesOfDelivery(row, tables)],
  'notification_attempts.url': (row, tables) => [
    scopesOfDelivery(rowOf(tables, 'notification_deliveries', row['delivery_id']), tables),
  ],
  'notification_attempts.response_excerpt': (row, tables) => [
    scopesOfDelivery(rowOf(tables, 'notification_deliveries', row['delivery_id']), tables),
  ],
  'saved_searches.*': ({ is_shared }) => (is_shared === true ? [['searches:read']] : []),
  'application_form_values.*': () => [['applications:read']],
  'opportunity_form_values.*': ({ opportunity_id, owner_id }, tables) => [
    [opportunityScope(tables, opportunity_id ?? owner_id)],
  ],
  'history_entries.*': ({ subject_type, subject_id }, tables) => [
    [
      'history:read',
      subject_type === 'opportunity' ? opportunityScope(tables, subject_id) : `${String(subject_type)}s:read`,
    ],
  ],
  // Credentials that may read form values also see the labels and values of the chosen options. Credentials that may
  // only write them see the values of options and the keys of items, in violations.
  'form_options.label': (row, tables) => [['forms:read'], [`${ownerOfItem(row['item_id'], tables)}:read`]],
  'form_options.value': (row, tables) => [
    ['forms:read'],
    ...actionsOf(ownerOfItem(row['item_id'], tables), ['read', 'write', 'create']),
  ],
  'form_items.key': (row, tables) => [
    ['forms:read'],
    ...actionsOf(ownerOfItem(row['id'], tables), ['write', 'create']),
  ],
  'systems.domain': () => [['systems:read']],
  // `readersOfFact` decides who may read each value of a snapshot, so this column has no readers of its own.
  'domain_events.facts': () => [],
};

/**
 * Returns the readers of a value in the snapshot of an event. Explanations show the value to credentials with the
 * scopes of its datapath.
 */
const readersOfFact = (canary: string, facts: unknown): Readers =>
  Object.entries(facts as Row)
    .filter(([, value]) => canariesIn(JSON.stringify(value)).has(canary))
    .map(([datapath]) => {
      const [root = '', ...path] = datapath.split('.');
      return ['notifications:read', ...requiredScopes(root, path.join('.'))];
    });
