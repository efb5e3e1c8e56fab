const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const LINE_BREAK = /\r\n|[\r\n\u2028\u2029]/g;
const NOT_IN_A_LINE = /[\p{Cc}\u2028\u2029]+/gu;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A value as HTML that reads as it, between tags: nothing in it is markup, its line breaks are kept. */
export const htmlText = (value: string): string =>
  value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '').replace(LINE_BREAK, '<br />');

/** A value as a part of an address, percent-encoded: it ends neither the attribute that it stands in nor its part of the address. */
export const urlPart = (value: string): string =>
  encodeURIComponent(value.replace(LONE_SURROGATE, '\uFFFD')).replace(/'/g, '%27');

/** A text on one line: each run of line breaks and control characters is one space, so that no value begins another header. */
export const oneLine = (value: string): string => value.replace(NOT_IN_A_LINE, ' ');
