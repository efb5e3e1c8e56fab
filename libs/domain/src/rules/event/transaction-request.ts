import { type Transaction } from '@ats/postgres';

/** The request that a transaction serves. */
export interface TransactionRequest {
  /** `X-Request-Id`. Source: CONTRACT.md 1 */
  readonly requestId: string | null;
  /** The trace that it is a part of, as W3C Trace Context writes it; null when nobody collects traces. */
  readonly traceparent: string | null;
}

const NONE: TransactionRequest = { requestId: null, traceparent: null };
const requests = new WeakMap<Transaction, TransactionRequest>();

/**
 * Remembers which request a transaction serves: the events that it raises and the e-mails that it queues carry this, and so do
 * deliveries, so that an operator finds what a request led to.
 */
export function setTransactionRequest(transaction: Transaction, request: TransactionRequest): void {
  requests.set(transaction, request);
}

/** Nothing but nulls for what no request has raised, such as a posting that its dates make live. */
export const getTransactionRequest = (transaction: Transaction): TransactionRequest =>
  requests.get(transaction) ?? NONE;
