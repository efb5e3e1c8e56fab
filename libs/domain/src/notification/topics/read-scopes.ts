import { datapathIn } from '@ats/datapath';
import { runStatement, type Transaction } from '@ats/postgres';
import { EVENT_ROOTS, type EventType } from '../../objects/event-types.js';
import { requiredScopes } from '../../reading/required-scopes.js';

interface TypedDatapaths {
  readonly type: EventType;
  /** Canonical datapaths with their root, such as `application.user.firstname`. */
  readonly datapaths: readonly string[];
}

/**
 * Returns the resources whose read scopes the datapaths need. An empty list of datapaths needs no scope.
 * Source: docs/reference/datapaths.md, "Scopes".
 */
export function readScopesOf({ type, datapaths }: TypedDatapaths): readonly string[] {
  const root = EVENT_ROOTS[type];
  const scopes = datapaths.flatMap((datapath) => requiredScopes(root, datapathIn(datapath).slice(root.length + 1)));
  return [...new Set(scopes.map((scope) => scope.slice(0, scope.indexOf(':'))))].sort();
}

/**
 * Stores the read scopes of topics whose stored scopes are missing or out of date. Topics that the previous release
 * wrote have no read scopes.
 * @returns the number of changed topics
 */
export async function updateReadScopes(transaction: Transaction): Promise<number> {
  const topics = await runStatement<TypedDatapaths & { readonly id: number }>(
    transaction,
    'SELECT id, type, datapaths FROM notification_topics ORDER BY id FOR UPDATE',
  );
  const changed = await runStatement(
    transaction,
    `UPDATE notification_topics t SET read_scopes = string_to_array(s.scopes, ','), read_scopes_revision = t.revision
     FROM unnest($1::bigint[], $2::text[]) AS s(id, scopes)
     WHERE t.id = s.id AND (t.read_scopes IS DISTINCT FROM string_to_array(s.scopes, ',')
       OR t.read_scopes_revision IS DISTINCT FROM t.revision)
     RETURNING t.id`,
    [topics.map(({ id }) => id), topics.map((topic) => readScopesOf(topic).join(','))],
  );
  return changed.length;
}
