import { type Transaction } from '../database/database.js';

const requestIds = new WeakMap<Transaction, string>();

/**
 * Remembers which request a transaction serves: the events that it raises carry the id, and so do their deliveries, so that
 * an operator finds what a request led to.
 * @param requestId `X-Request-Id`. Source: CONTRACT.md 1
 */
export function noteRequest(transaction: Transaction, requestId: string): void {
  requestIds.set(transaction, requestId);
}

/** Null for what no request has raised, such as a posting that its dates make live. */
export const notedRequest = (transaction: Transaction): string | null => requestIds.get(transaction) ?? null;
