import { datapathOfRepresented, representedNames } from '@ats/datapath';
import { message } from '@ats/message';
import { type SortKey } from '../model/condition.js';
import { type ViolationReport, quote, type TextSlice } from './violation.js';
import { SEARCH_LIMITS } from '../model/limits.js';
import { hasAllowedLength } from './search-param.js';
import { resolvePath } from './search-key.js';
import { idNameOf, type SearchSubject } from '../model/search-model.js';

/** The parts of a `sort` parameter. Its key is not looked up in the model yet. */
export interface SortText {
  readonly key: TextSlice;
  readonly isDescending: boolean;
}

/** Splits `<datapath>!asc` or `<datapath>!desc`. Source: docs/reference/search.md, "Sort". */
export function readSort(report: ViolationReport): SortText | undefined {
  const { text } = report;
  if (!hasAllowedLength(report, SEARCH_LIMITS.textLength)) return undefined;
  const found = text.indexOf('!');
  const length = found < 0 ? text.length : found;
  const direction = text.slice(length);
  if (direction !== '!asc' && direction !== '!desc') {
    const found = direction === '' ? message`the end of the text` : quote(direction);
    const violation = message`expected ${'!asc'} or ${'!desc'} after the datapath, found ${found}`;
    return report.add({ code: 'invalid_direction', message: violation, offset: length, length: direction.length });
  }
  return { key: { text: text.slice(0, length), offset: 0, length }, isDescending: direction === '!desc' };
}

/**
 * Reads one `sort` parameter and checks its key against the model. Null comes last in both directions.
 * Source: docs/reference/search.md, "Sort".
 */
export function readSortKey(subject: SearchSubject, report: ViolationReport): SortKey | undefined {
  const sort = readSort(report);
  if (!sort) return undefined;
  const { key, isDescending } = sort;
  if (key.text.startsWith('/')) {
    const names = representedNames(key.text);
    const datapath = datapathOfRepresented(names, subject.representation ?? []) ?? names.join('.');
    const hint = message`did you mean "${datapath}"?`;
    return report.add({
      code: 'invalid_key',
      message: message`expected a datapath, found a JSON pointer`,
      offset: 0,
      length: key.length,
      hint,
    });
  }
  const resolved = resolvePath(subject, report, key);
  if (!resolved) return undefined;
  const { path, isReference } = resolved;
  if (path.many) {
    const violation = message`${quote(key.text)} has many values: there is no order between them`;
    return report.add({ code: 'not_sortable', message: violation, offset: 0, length: key.length });
  }
  if (!isReference) return { path, isDescending };
  const violation = message`${quote(key.text)} is an object, not a value`;
  return report.add({
    code: 'not_a_value',
    message: violation,
    offset: 0,
    length: key.length,
    hint: message`did you mean "${`${key.text}.${idNameOf(subject.model)}`}"?`,
  });
}
