import { type Transaction } from '@ats/postgres';
import { type ReadSettings } from '../../reading/representation-sql.js';

/** The client of a request, as the audit log records it. */
export interface RequestClient {
  readonly credentialId: number;
  readonly recruiterId: number;
  /** IP address of the client. */
  readonly address: string;
}

/** The request that a transaction serves. */
export interface TransactionRequest {
  /** The value of the header `X-Request-Id`. Source: docs/reference/operations.md, "Logs". */
  readonly requestId: string | null;
  /** The request's trace in the W3C Trace Context format; null when tracing is off. */
  readonly traceparent: string | null;
  /** Absent when the transaction does not serve an authenticated request. */
  readonly client?: RequestClient;
  /** The settings for values in snapshots. Absent when the transaction serves no request of the API. */
  readonly settings?: ReadSettings;
}

const NONE: TransactionRequest = { requestId: null, traceparent: null };
const requests = new WeakMap<Transaction, TransactionRequest>();

/**
 * Sets the request that a transaction serves. The events, e-mails and deliveries of the transaction store the request's
 * id and trace, so that an operator can find everything that a request caused.
 */
export function setTransactionRequest(transaction: Transaction, request: TransactionRequest): void {
  requests.set(transaction, request);
}

/**
 * Returns the transaction's request. Its id and trace are null when the transaction serves no request, for example when
 * the notifier raises an event because a posting has expired.
 */
export const getTransactionRequest = (transaction: Transaction): TransactionRequest =>
  requests.get(transaction) ?? NONE;
