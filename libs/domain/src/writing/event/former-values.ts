import { isDeepStrictEqual } from 'node:util';
import { datapathIn, readPast } from '@ats/datapath';
import { prepared, runPrepared, runStatement, type Transaction } from '@ats/postgres';
import { type DatapathValues, readDatapathsOfSubjects } from '../../facts/read-datapaths.js';
import { EVENT_ROOTS, EVENT_TYPES, type EventType, hasPast } from '../../objects/event-types.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { type RowSource } from '../../vocabulary/resource.js';
import { lockAndRead } from '../lock-object.js';
import { getTransactionRequest } from './transaction-request.js';

/** Maps the id of each object to the values that it had before a change. The values are mapped by their datapath. */
export type FormerValues = ReadonlyMap<number, DatapathValues>;

interface Objects {
  /** The name of the object type. */
  readonly root: string;
  readonly ids: readonly number[];
}

const NONE: FormerValues = new Map();

/** Every change runs this statement, so it is prepared. */
const PAST_DATAPATHS = prepared(
  `SELECT DISTINCT datapath, (SELECT default_language FROM systems ORDER BY id LIMIT 1) AS language
   FROM notification_past_datapaths WHERE event_type = ANY($1)`,
);

/**
 * Reads the present values of objects that are about to change. It reads only the datapaths that topics use in the
 * functions CHANGED or WAS. The caller has locked the objects. Source: docs/reference/notifications.md, "Former
 * values".
 */
export async function readFormerValues(
  transaction: Transaction,
  { root, ids }: Objects,
  settings?: ReadSettings,
): Promise<FormerValues> {
  const types = typesWithPast(root);
  const [type] = types;
  if (type === undefined || ids.length === 0) return NONE;
  const wanted = await runPrepared<{ datapath: string; language: string }>(transaction, PAST_DATAPATHS, [types]);
  const [first] = wanted;
  if (!first) return NONE;
  return readDatapathsOfSubjects(
    (text, parameters) => runStatement(transaction, text, parameters),
    { type: EVENT_ROOTS[type], ids },
    [...new Set(wanted.map(({ datapath }) => datapathIn(datapath)))],
    settings ?? getTransactionRequest(transaction).settings ?? { baseUrl: '', language: first.language },
  );
}

const remembered = new WeakMap<Transaction, Map<string, DatapathValues>>();

/**
 * Keeps the values that objects have before their first change in the transaction, for the events that `noteChanges`
 * records before the commit. Call this function before a change.
 */
export async function rememberFormerValues(transaction: Transaction, objects: Objects): Promise<void> {
  const known = remembered.get(transaction) ?? new Map<string, DatapathValues>();
  remembered.set(transaction, known);
  const ids = objects.ids.filter((id) => !known.has(`${objects.root} ${id}`));
  for (const [id, values] of await readFormerValues(transaction, { root: objects.root, ids }))
    known.set(`${objects.root} ${id}`, values);
}

/**
 * Locks the row of an object until the transaction ends, and remembers its values. It is one statement while no topic
 * uses CHANGED or WAS, so that changes without such topics cost little.
 * @throws {NotFoundError} when the collection has no such item
 */
export async function lockForChange(transaction: Transaction, source: RowSource, id: number): Promise<void> {
  const root = source.type.name;
  const isUsed = await lockAndRead(transaction, { source, id, strength: 'UPDATE', column: isPastUsed(root) });
  if (isUsed === true) await rememberFormerValues(transaction, { root, ids: [id] });
}

/** SQL that is true when a topic uses CHANGED or WAS for objects of a type. */
export function isPastUsed(root: string): string {
  const types = typesWithPast(root).map((type) => `'${type}'`);
  return types.length === 0
    ? 'false'
    : `EXISTS (SELECT FROM notification_past_datapaths WHERE event_type IN (${types.join()}))`;
}

/** The event types with former values, by object type. */
const withPast = new Map<string, EventType[]>();
for (const type of EVENT_TYPES.filter(hasPast))
  withPast.set(EVENT_ROOTS[type], [...(withPast.get(EVENT_ROOTS[type]) ?? []), type]);

const typesWithPast = (root: string): readonly EventType[] => withPast.get(root) ?? [];

/**
 * Returns the values that the objects had before the transaction changed them. Objects whose values were not remembered
 * are absent.
 */
export function rememberedValues(transaction: Transaction, { root, ids }: Objects): FormerValues {
  const known = remembered.get(transaction);
  return new Map(
    ids.flatMap((id) => {
      const values = known?.get(`${root} ${id}`);
      return values ? [[id, values] as const] : [];
    }),
  );
}

/**
 * Maps each call of CHANGED or WAS to its result for one event. Leaves out calls whose former value is not known. An
 * expression with such a call then evaluates to unknown.
 * @param calls  canonical texts, such as `WAS(application.rating)`
 */
export function resultsOfCalls(
  calls: readonly string[],
  before: DatapathValues | undefined,
  after: DatapathValues,
): DatapathValues {
  return Object.fromEntries(
    calls.flatMap((text) => {
      const past = readPast(text);
      if (!past || !before || !Object.hasOwn(before, past.datapath)) return [];
      if (past.call === 'WAS') return [[text, before[past.datapath]]];
      if (!Object.hasOwn(after, past.datapath)) return [];
      return [[text, !isSame(before[past.datapath], after[past.datapath])]];
    }),
  );
}

/** Compares two values as JSON. The order of a list does not count, because the rows of a relation have no order. */
const isSame = (left: unknown, right: unknown): boolean => isDeepStrictEqual(comparable(left), comparable(right));

function comparable(value: unknown): unknown {
  const json: unknown = JSON.parse(JSON.stringify(value ?? null));
  return Array.isArray(json) ? json.map((element) => JSON.stringify(element)).sort() : json;
}
