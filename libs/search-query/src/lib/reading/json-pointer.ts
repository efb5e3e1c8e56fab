import { message } from '@ats/message';
import { type ViolationReport, type TextSlice } from './violation.js';

/** One segment of a pointer: a name, any element of a list (`*`), or the element with a label (`[label]`). */
export interface PointerSegment extends TextSlice {
  readonly kind: 'name' | 'any' | 'label';
}

/**
 * Parses a JSON pointer (RFC 6901: `~0` stands for `~`, and `~1` for `/`).
 * @param key  the parameter up to the operator; begins with a slash
 */
export function parsePointer(report: ViolationReport, key: TextSlice): readonly PointerSegment[] | undefined {
  const segments: PointerSegment[] = [];
  let offset = key.offset + 1;
  for (const raw of key.text.slice(1).split('/')) {
    const badEscape = raw.search(/~(?![01])/);
    if (badEscape >= 0) {
      const violation = message`expected ${'~0'} or ${'~1'} in a JSON pointer`;
      return report.add({
        code: 'invalid_key',
        message: violation,
        offset: offset + badEscape,
        length: Math.min(2, raw.length - badEscape),
      });
    }
    segments.push(toSegment(raw, offset));
    offset += raw.length + 1;
  }
  return segments;
}

function toSegment(raw: string, offset: number): PointerSegment {
  const text = unescape(raw);
  const place = { offset, length: raw.length };
  if (text === '*') return { kind: 'any', text, ...place };
  if (raw.startsWith('[') && raw.endsWith(']')) return { kind: 'label', text: text.slice(1, -1), ...place };
  return { kind: 'name', text, ...place };
}

const unescape = (raw: string): string => raw.replaceAll('~1', '/').replaceAll('~0', '~');

/** Splits a valid pointer into names. The pointer must come from the program, not from a client. */
export const pointerNames = (pointer: string): readonly string[] => pointer.slice(1).split('/').map(unescape);
