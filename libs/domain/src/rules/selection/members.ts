import { compileConditionSql, type CollectionQuery, SqlParameters } from '@ats/search-query';
import { runStatement, type Transaction } from '@ats/postgres';
import { objectModel } from '../../objects/object-model.js';
import { type RowSource } from '../../vocabulary/resource.js';
import { conditionsOf, sqlSettings, tableOf, type ReadSettings } from '../../reading/representation-sql.js';

/** Maximum number of ids in a request that replaces the members of a selection. */
export const MAX_MEMBERS_AT_ONCE = 10_000;

/**
 * The members of a selection that one recruiter can see. Recruiters can see different members of the same selection.
 */
export interface Members {
  readonly selectionId: number;
  /** The collection of the items. */
  readonly source: RowSource;
  /** The recruiter who reads. Items that this recruiter cannot see are left out. */
  readonly viewerId: number;
}

/**
 * Finds the ids that are items of the collection. Locks these items against deletion until the transaction ends. A
 * deletion that waits for this lock removes the item from the selection afterwards, through a trigger.
 */
export async function lockItems(
  transaction: Transaction,
  { source, viewerId }: Omit<Members, 'selectionId'>,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const parameters = new SqlParameters();
  const conditions = [`t.id = ANY(${parameters.add(ids)}::bigint[])`, ...visibleItems(source, viewerId, parameters)];
  // Items of a log need no lock, because they are never deleted one by one. The service also has no right to lock them.
  const lock = source.isAppendOnly ? '' : 'FOR KEY SHARE';
  const rows = await runStatement<{ id: number }>(
    transaction,
    `SELECT t.id FROM ${tableOf(source.type)} t WHERE ${conditions.join(' AND ')} ORDER BY t.id ${lock}`,
    parameters.values,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Replaces the members of a selection by the given items. */
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
    `INSERT INTO selection_members (selection_id, member_table, member_id)
     SELECT $1, $2, unnest($3::bigint[]) ON CONFLICT DO NOTHING`,
    [selectionId, tableOf(source.type), wanted],
  );
}

/** Adds a member. Does nothing when the item is already a member. */
export async function addMember(transaction: Transaction, { selectionId, source }: Members, id: number): Promise<void> {
  await runStatement(
    transaction,
    'INSERT INTO selection_members (selection_id, member_table, member_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [selectionId, tableOf(source.type), id],
  );
}

/**
 * Removes a member.
 * @returns false when the item is not a member
 */
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

/**
 * SQL that reads one page of the members, by id. The column `body` has a JSON array of `{ id, url }`, and `total` the
 * number of all members.
 * @param condition  the condition that the members must meet
 */
export function membersStatement(
  members: Members,
  settings: ReadSettings,
  condition: CollectionQuery['condition'],
  { limit, offset }: { readonly limit: number; readonly offset: number },
): PageStatement {
  const { selectionId, source, viewerId } = members;
  const url = source.type.attributes['url'];
  if (!url) throw new Error(`the items of ${source.name} have no attribute url`);
  const parameters = new SqlParameters();
  const conditions = [
    `m.selection_id = ${parameters.add(selectionId)}`,
    ...visibleItems(source, viewerId, parameters),
    compileConditionSql(condition, { model: objectModel, alias: 't', settings: sqlSettings(settings), parameters })
      .text,
  ].join(' AND ');
  const from = `FROM selection_members m JOIN ${tableOf(source.type)} t ON t.id = m.member_id WHERE ${conditions}`;
  const urlSql = url.sql('t', sqlSettings(settings));
  const page = `SELECT t.id, ${urlSql} AS url ${from} ORDER BY t.id LIMIT ${limit} OFFSET ${offset}`;
  const text = `SELECT '[' || coalesce(string_agg(row_to_json(r)::text, ',' ORDER BY r.id), '') || ']' AS body,
    (SELECT count(*) ${from}) AS total FROM (${page}) r`;
  return { text, parameters: parameters.values };
}

/** SQL conditions that are true when the row `t` is an item of the collection, and the viewer can see the item. */
const visibleItems = (source: RowSource, viewerId: number, parameters: SqlParameters): string[] =>
  conditionsOf(source, 't', source.ownerColumn === undefined ? '' : parameters.add(viewerId));
