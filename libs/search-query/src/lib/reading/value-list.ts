import { message } from '@ats/message';
import { type ViolationReport, quote, type TextSlice } from './violation.js';
import { SEARCH_LIMITS } from '../model/limits.js';

/**
 * Parses the list that begins at `start` and reaches to the end of the text. Grammar: list : "{" item ( "," item )* "}"
 * ; item : ( any character but "," "{" "}" "\" | "\" ( "," | "{" | "}" | "\" ) )*
 */
export function parseList(report: ViolationReport, start: number): readonly TextSlice[] | undefined {
  const { text } = report;
  const items: TextSlice[] = [];
  let value = '';
  let itemStart = start + 1;
  let at = itemStart;
  for (; at < text.length && text[at] !== '}'; at++) {
    const character = text.charAt(at);
    if (character === ',') {
      items.push({ text: value, offset: itemStart, length: at - itemStart });
      value = '';
      itemStart = at + 1;
    } else if (character === '{') {
      return report.add({
        code: 'invalid_list',
        message: message`found ${'"{"'} inside a list`,
        offset: at,
        length: 1,
        hint: message`write ${'"\\{"'}`,
      });
    } else if (character === '\\') {
      const escaped = text.charAt(at + 1);
      if (escaped === '' || !',{}\\'.includes(escaped)) return invalidEscape(report, at);
      value += escaped;
      at++;
    } else {
      value += character;
    }
  }
  items.push({ text: value, offset: itemStart, length: at - itemStart });
  return checkEnd(report, { start, end: at, items });
}

interface FoundList {
  readonly start: number;
  readonly end: number;
  readonly items: readonly TextSlice[];
}

function checkEnd(report: ViolationReport, { start, end, items }: FoundList): readonly TextSlice[] | undefined {
  const { text } = report;
  if (end >= text.length) {
    const hint = message`a value that begins with ${'"{"'} is a list; write ${'{\\{…}'} for the character itself`;
    return report.add({
      code: 'unclosed_list',
      message: message`expected ${'"}"'} at the end of the list`,
      offset: start,
      length: 1,
      hint,
    });
  }
  if (end < text.length - 1) {
    const violation = message`expected nothing after the list, found ${quote(text.slice(end + 1))}`;
    return report.add({ code: 'invalid_list', message: violation, offset: end + 1, length: text.length - end - 1 });
  }
  if (end === start + 1)
    return report.add({ code: 'empty_list', message: message`expected a value in the list`, offset: start, length: 2 });
  if (items.length <= SEARCH_LIMITS.listItems) return items;
  const violation = message`expected at most ${SEARCH_LIMITS.listItems} values in a list, found ${items.length}`;
  return report.add({ code: 'limit_exceeded', message: violation, offset: start, length: end - start + 1 });
}

function invalidEscape(report: ViolationReport, offset: number): undefined {
  const found = report.text.slice(offset, offset + 2);
  return report.add({
    code: 'invalid_escape',
    message: message`expected one of ${'"\\,", "\\{", "\\}", "\\\\"'}, found ${quote(found)}`,
    offset,
    length: found.length,
  });
}
