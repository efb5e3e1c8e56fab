import { prepared, type ReadStatement, runStatement, type Transaction } from '@ats/postgres';
import { type AuditAction, type AuditOutcome } from '../../objects/audit-entry.model.js';
import { getTransactionRequest } from '../../writing/event/transaction-request.js';

/** The client of an audited action. All values are null for the service itself. */
export interface AuditActor {
  readonly credentialId: number | null;
  readonly recruiterId: number | null;
  /** IP address or network of the client. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** An audited action, without the client that did it. */
export interface AuditedAction {
  readonly action: AuditAction;
  /** The outcome of the action. Defaults to `done`. */
  readonly outcome?: AuditOutcome;
  /** Name of the collection of the items. */
  readonly collection?: string;
  /** The ids as a list, or as the text of a PostgreSQL array, such as `{4,7}`. */
  readonly itemIds?: readonly number[] | string;
  /** The number of items. Defaults to the length of the list `itemIds`. */
  readonly itemCount?: number;
  /** Names of changed properties, never their values. */
  readonly changed?: readonly string[];
}

/** An entry as the log stores it. */
export interface AuditEntry extends AuditedAction, AuditActor {
  readonly occurredAt: Date;
  /** The number of equal refusals that the entry stands for. Defaults to 1. */
  readonly occurrences?: number;
  /** The scope that a refused request lacked. */
  readonly scope?: string;
  readonly queryDigest?: string;
}

/**
 * Adds an entry to the audit log, in the transaction of the audited change. The entry names the client of the
 * transaction's request, see `setTransactionRequest`. Source: docs/reference/audit.md.
 */
export async function addAuditEntry(transaction: Transaction, action: AuditedAction): Promise<void> {
  const { requestId, client } = getTransactionRequest(transaction);
  const { text, parameters } = insertEntries([
    {
      ...action,
      occurredAt: new Date(),
      credentialId: client?.credentialId ?? null,
      recruiterId: client?.recruiterId ?? null,
      address: client?.address ?? null,
      requestId,
    },
  ]);
  await runStatement(transaction, text, parameters);
}

/**
 * All entries are passed as one JSON text, which is cheaper than one array for each column. `item_ids` is passed as the
 * text of an array, because nothing reads it before PostgreSQL stores it.
 */
const INSERT = prepared(`
WITH added AS (
  INSERT INTO audit_entries (occurred_dt, action, outcome, occurrences, credential_id, recruiter_id, address,
    request_id, scope, collection, item_ids, item_count, query_digest, changed)
  SELECT occurred_dt, action, outcome, occurrences, credential_id, recruiter_id, address, request_id,
    scope, collection, coalesce(item_ids, '{}'), item_count, query_digest, coalesce(changed, '{}')
  FROM json_to_recordset($1) AS e(occurred_dt timestamptz, action text, outcome text, occurrences integer,
    credential_id bigint, recruiter_id bigint, address text, request_id text, scope text, collection text,
    item_ids bigint[], item_count integer, query_digest text, changed text[])
)
SELECT pg_current_xact_id()::text AS transaction`);

/**
 * Returns the statement that adds entries. Their ids follow the order of `entries`. Its only row has the number of its
 * transaction in `transaction`.
 */
export const insertEntries = (entries: readonly AuditEntry[]): Required<Omit<ReadStatement, 'textsAsBytes'>> => ({
  ...INSERT,
  name: INSERT.name,
  parameters: [JSON.stringify(entries.map(toRow))],
});

const toRow = ({ outcome = 'done', occurrences = 1, ...entry }: AuditEntry): object => ({
  occurred_dt: entry.occurredAt,
  action: entry.action,
  outcome,
  occurrences,
  credential_id: entry.credentialId,
  recruiter_id: entry.recruiterId,
  address: entry.address,
  request_id: entry.requestId,
  scope: entry.scope,
  collection: entry.collection,
  item_ids: entry.itemIds,
  item_count: entry.itemCount ?? (typeof entry.itemIds === 'string' ? undefined : entry.itemIds?.length),
  query_digest: entry.queryDigest,
  changed: entry.changed,
});
