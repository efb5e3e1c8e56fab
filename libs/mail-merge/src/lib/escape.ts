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

/** Escapes a value for HTML between tags. Markup is shown as text, and line breaks become `<br />`. */
export const htmlText = (value: string): string =>
  value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '').replace(LINE_BREAK, '<br />');

/** Percent-encodes a value for a URL in an attribute. It can then end neither the attribute nor its part of the URL. */
export const urlPart = (value: string): string =>
  encodeURIComponent(value.replace(LONE_SURROGATE, '\uFFFD')).replace(/'/g, '%27');

/** Replaces each run of line breaks and control characters by a space, so that a value cannot begin another header. */
export const oneLine = (value: string): string => value.replace(NOT_IN_A_LINE, ' ');
