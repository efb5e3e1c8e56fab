import { SqlParameters } from '@ats/search-query';
import { runStatement, type Transaction } from '@ats/postgres';
import { type RowSource } from '../../vocabulary/resource.js';
import { conditionsOf, sqlSettings, tableOf, type ReadSettings } from '../../reading/representation-sql.js';

/** The most ids that replace the members of a selection at once. */
export const MAX_MEMBERS_AT_ONCE = 10_000;

/** The members of a selection of items, as somebody sees them who may not see every item. */
export interface Members {
  readonly selectionId: number;
  /** The collection that the selection is for. */
  readonly source: RowSource;
  /** The recruiter who looks. */
  readonly viewerId: number;
}

/**
 * Which of the ids are items of the collection. They are held until the end of the transaction: what is deleted afterwards
 * finds itself in the selection, and leaves it.
 */
export async function lockItems(
  transaction: Transaction,
  { source, viewerId }: Omit<Members, 'selectionId'>,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const parameters = new SqlParameters();
  const conditions = [`t.id = ANY(${parameters.add(ids)}::bigint[])`, ...visibleItems(source, viewerId, parameters)];
  const rows = await runStatement<{ id: number }>(
    transaction,
    `SELECT t.id FROM ${tableOf(source.type)} t WHERE ${conditions.join(' AND ')} ORDER BY t.id FOR KEY SHARE`,
    parameters.values,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Makes these items members, and no others. */
export async function replaceMembers(
  transaction: Transaction,
  { selectionId, source }: Members,
  ids: Iterable<number>,
): Promise<void> {
  const wanted = [...ids];
  await runStatement(
    transaction,
    'DELETE FROM selection_members WHERE selection_id = $1 AND member_id <> ALL($2::bigint[])',
    [selectionId, wanted],
  );
  await runStatement(
    transaction,
    `INSERT INTO selection_members (selection_id, member_table, member_id) SELECT $1, $2, unnest($3::bigint[]) ON CONFLICT DO NOTHING`,
    [selectionId, tableOf(source.type), wanted],
  );
}

/** Makes an item a member, if it is none. */
export async function addMember(transaction: Transaction, { selectionId, source }: Members, id: number): Promise<void> {
  await runStatement(
    transaction,
    'INSERT INTO selection_members (selection_id, member_table, member_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [selectionId, tableOf(source.type), id],
  );
}

/** @returns false when the item is no member */
export async function removeMember(transaction: Transaction, selectionId: number, id: number): Promise<boolean> {
  const removed = await runStatement(
    transaction,
    'DELETE FROM selection_members WHERE selection_id = $1 AND member_id = $2 RETURNING 1',
    [selectionId, id],
  );
  return removed.length > 0;
}

interface PageStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** One page of the members in order of id, as the text of a JSON array of `{ id, url }` in `body`, and how many there are in `total`. */
export function membersStatement(
  members: Members,
  settings: ReadSettings,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): PageStatement {
  const { selectionId, source, viewerId } = members;
  const url = source.type.attributes['url'];
  if (!url) throw new Error(`${source.name} have no address`);
  const parameters = new SqlParameters();
  const conditions = [
    `m.selection_id = ${parameters.add(selectionId)}`,
    ...visibleItems(source, viewerId, parameters),
  ].join(' AND ');
  const from = `FROM selection_members m JOIN ${tableOf(source.type)} t ON t.id = m.member_id WHERE ${conditions}`;
  const page = `SELECT t.id, ${url.sql('t', sqlSettings(settings))} AS url ${from} ORDER BY t.id LIMIT ${limit} OFFSET ${offset}`;
  const text = `SELECT '[' || coalesce(string_agg(row_to_json(r)::text, ',' ORDER BY r.id), '') || ']' AS body, (SELECT count(*) ${from}) AS total FROM (${page}) r`;
  return { text, parameters: parameters.values };
}

/** Conditions on the row `t`: that it is an item of the collection, and one that the viewer sees. */
const visibleItems = (source: RowSource, viewerId: number, parameters: SqlParameters): string[] =>
  conditionsOf(source, 't', source.ownerColumn === undefined ? '' : parameters.add(viewerId));
