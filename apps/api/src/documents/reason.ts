import { ScannerError } from './document-scanner.js';
import { StoreError } from './document-store.js';

/**
 * Returns the part of an error that may be logged: its code, or its class when it has no code. The message is not
 * logged, because it may quote values.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof ScannerError) return error.message;
  if (error instanceof StoreError) return reasonOf(error.cause);
  const { code, name } = (typeof error === 'object' && error !== null ? error : {}) as Partial<NodeJS.ErrnoException>;
  return code ?? name ?? typeof error;
}
