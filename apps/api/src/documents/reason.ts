import { ScannerError } from './document-scanner.js';

/** The part of an error that may be logged: its code, or else its class. Messages of errors may quote values. */
export function reasonOf(error: unknown): string {
  if (error instanceof ScannerError) return error.message;
  const { code, name } = (typeof error === 'object' && error !== null ? error : {}) as Partial<NodeJS.ErrnoException>;
  return code ?? name ?? typeof error;
}
