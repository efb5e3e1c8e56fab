import { prepared, type ReadStatement, runStatement, type Transaction } from '@ats/postgres';
import { type AuditAction, type AuditOutcome } from '../../objects/audit-entry.model.js';
import { getTransactionRequest } from '../event/transaction-request.js';

/** The client of an audited action. All values are null for the service itself. */
export interface AuditActor {
  readonly credentialId: number | null;
  readonly recruiterId: number | null;
  /** IP address or network of the client. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** An action, without its client. */
export interface AuditedAction {
  readonly action: AuditAction;
  /** Defaults to `done`. */
  readonly outcome?: AuditOutcome;
  /** Name of the collection of the items. */
  readonly collection?: string;
  readonly itemIds?: readonly number[];
  /** The number of items. Defaults to the length of `itemIds`. */
  readonly itemCount?: number;
  /** Names of changed properties, never their values. */
  readonly changed?: readonly string[];
}

/** An entry as the log stores it. */
export interface AuditEntry extends AuditedAction, AuditActor {
  readonly occurredAt: Date;
  /** The number of equal refusals. Defaults to 1. */
  readonly occurrences?: number;
  /** The missing scope of a refusal. */
  readonly scope?: string;
  readonly queryDigest?: string;
}

/**
 * Adds an entry to the audit log, in the transaction of the audited change. The client is the one of the transaction's
 * request, see `setTransactionRequest`. Source: docs/reference/audit.md.
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

const INSERT = prepared(`
INSERT INTO audit_entries (occurred_dt, action, outcome, occurrences, credential_id, recruiter_id, address, request_id,
  scope, collection, item_ids, item_count, query_digest, changed)
SELECT occurred_dt, action, outcome, occurrences, credential_id, recruiter_id, address, request_id,
  scope, collection, item_ids::bigint[], item_count, query_digest, changed::text[]
FROM unnest($1::timestamptz[], $2::text[], $3::text[], $4::integer[], $5::bigint[], $6::bigint[], $7::text[],
  $8::text[], $9::text[], $10::text[], $11::text[], $12::integer[], $13::text[], $14::text[])
  AS e(occurred_dt, action, outcome, occurrences, credential_id, recruiter_id, address, request_id,
  scope, collection, item_ids, item_count, query_digest, changed)`);

/** Returns the statement that adds entries. Their ids follow the order of `entries`. */
export function insertEntries(entries: readonly AuditEntry[]): ReadStatement {
  const column = (valueOf: (entry: AuditEntry) => unknown): readonly unknown[] =>
    entries.map((entry) => valueOf(entry) ?? null);
  return {
    ...INSERT,
    parameters: [
      column(({ occurredAt }) => occurredAt),
      column(({ action }) => action),
      column(({ outcome }) => outcome ?? 'done'),
      column(({ occurrences }) => occurrences ?? 1),
      column(({ credentialId }) => credentialId),
      column(({ recruiterId }) => recruiterId),
      column(({ address }) => address),
      column(({ requestId }) => requestId),
      column(({ scope }) => scope),
      column(({ collection }) => collection),
      column(({ itemIds }) => itemIds && `{${itemIds.join(',')}}`),
      column(({ itemCount, itemIds }) => itemCount ?? itemIds?.length),
      column(({ queryDigest }) => queryDigest),
      column(({ changed }) => changed && `{${JSON.stringify(changed).slice(1, -1)}}`),
    ],
  };
}
