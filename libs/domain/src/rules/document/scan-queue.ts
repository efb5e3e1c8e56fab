import { runStatement, type Transaction } from '@ats/postgres';
import { document, type ScanResult } from '../../objects/document.model.js';
import { rememberFormerValues } from '../../writing/event/former-values.js';
import { noteChanges } from '../../writing/event/note-changes.js';

/**
 * Duration of a claim in seconds. When a process dies during a scan, another process takes the document after this
 * time.
 */
const LEASE_S = 300;
/** The longest pause between two attempts in seconds. */
const MAX_PAUSE_S = 60;

/** A document that this process has claimed and now scans. */
export interface ClaimedScan {
  readonly id: number;
  readonly storage_key: string;
  /** The number of attempts, including this one. */
  readonly tries: number;
}

/** Queues a new document, whose scan is `pending`. */
export async function queueScan(transaction: Transaction, id: number): Promise<void> {
  await runStatement(transaction, 'INSERT INTO document_scans (document_id) VALUES ($1)', [id]);
}

/**
 * Claims the document that has waited longest. No other process gets it during the lease.
 * @returns null when no document is due
 * Source: docs/reference/documents.md, "Virus scan".
 */
export async function claimScan(transaction: Transaction): Promise<ClaimedScan | null> {
  const [claimed] = await runStatement<ClaimedScan>(
    transaction,
    `UPDATE document_scans s SET due_dt = now() + make_interval(secs => ${LEASE_S}), tries = s.tries + 1
     FROM documents d
     WHERE d.id = s.document_id AND s.document_id = (
       SELECT document_id FROM document_scans WHERE due_dt <= now()
       ORDER BY due_dt LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING d.id, d.storage_key, s.tries`,
  );
  return claimed ? { ...claimed, id: Number(claimed.id) } : null;
}

/**
 * Stores the result of a scan, and raises the event of the change. Does nothing when the document was deleted
 * meanwhile.
 */
export async function finishScan(transaction: Transaction, id: number, result: ScanResult): Promise<void> {
  const objects = { root: document.name, ids: [id] };
  const locked = await runStatement(
    transaction,
    `SELECT FROM documents WHERE id = $1 AND scan = 'pending' FOR UPDATE`,
    [id],
  );
  if (locked.length === 0) return;
  await rememberFormerValues(transaction, objects);
  await runStatement(transaction, 'UPDATE documents SET scan = $2, updated_dt = clock_timestamp() WHERE id = $1', [
    id,
    result,
  ]);
  await runStatement(transaction, 'DELETE FROM document_scans WHERE document_id = $1', [id]);
  await noteChanges(transaction, { ...objects, change: 'update' });
}

/** Schedules another attempt after a failed scan. The pause grows with each attempt. */
export async function postponeScan(transaction: Transaction, { id, tries }: ClaimedScan): Promise<void> {
  await runStatement(
    transaction,
    'UPDATE document_scans SET due_dt = now() + make_interval(secs => $2) WHERE document_id = $1',
    [id, Math.min(2 ** Math.min(tries, 10), MAX_PAUSE_S)],
  );
}
