import { type ByteRange } from './document-store.js';

/** The result when the requested range is outside of the document. */
export const UNSATISFIABLE = -1;

/**
 * Returns the part of a document that the header `Range` names. Null for several parts, and for a header that is
 * malformed or has another unit: the whole document is then the answer (RFC 9110 14.2).
 * @param size  number of bytes of the document
 */
export function byteRangeOf(header: string, size: number): ByteRange | typeof UNSATISFIABLE | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (first === undefined || last === undefined || first + last === '') return null;
  // A range without a first byte means the last `last` bytes of the document. `last` may be larger than the document.
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return UNSATISFIABLE;
  return start < size ? { start, end } : UNSATISFIABLE;
}
