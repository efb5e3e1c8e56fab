import {
  createViolation,
  type Datapath,
  DatapathError,
  type DatapathViolation,
  type ViolationCode,
  parseDatapath,
  type SyntaxOptions,
} from '@ats/datapath';
import { type Message, message } from '@ats/message';
import { MAIL_MERGE_LIMITS, type MailMergeLimits } from './limits.js';
import { findNext, trimmed } from './scan.js';

/** The codes of invalid placeholders. Violations in a datapath have the codes of `@ats/datapath`. */
export type TemplateViolationCode = 'empty_placeholder' | 'too_many_placeholders' | 'unclosed_placeholder';

/** An error at its position in the template: offset and length in UTF-16 units, line and column from 1. */
export type TemplateViolation = DatapathViolation<TemplateViolationCode | ViolationCode>;

/** A datapath between `{{` and `}}`. */
export interface Placeholder {
  /** The kind of this part: a placeholder, not a text. */
  readonly kind: 'placeholder';
  /** A well-formed datapath. Its names have not been compared with a model. */
  readonly datapath: Datapath;
  /** Position of the datapath in the template, in UTF-16 units. */
  readonly offset: number;
  /**
   * True when the placeholder is inside a tag, in the value of an attribute. This is reliable only for well-formed
   * HTML.
   */
  readonly isInTag: boolean;
}

/** A piece of a template: text, or a placeholder. */
export type TemplatePart = { readonly kind: 'text'; readonly text: string } | Placeholder;

/** A parsed template, as plain read-only data. */
export interface ParsedTemplate {
  /** The text of the template. */
  readonly text: string;
  /** The parts in the order of the text. An invalid placeholder is a text. */
  readonly parts: readonly TemplatePart[];
  /** All errors, in the order of the text. Empty for a valid template. */
  readonly violations: readonly TemplateViolation[];
}

/**
 * Parses a text with placeholders such as `{{ application.user.firstname }}`. White space around a datapath is ignored,
 * including `&nbsp;` and `<br />`. `\{{` stands for two braces, and `\\{{` for a backslash before a placeholder. Never
 * throws. The cost is limited for any text.
 * @param text  plain text or HTML
 * @param options  limits that differ from `MAIL_MERGE_LIMITS`, and the extensions of the host to datapaths
 * Source: docs/reference/communications.md.
 */
export function parseTemplate(text: string, options: Partial<MailMergeLimits> & SyntaxOptions = {}): ParsedTemplate {
  const { placeholders } = { ...MAIL_MERGE_LIMITS, ...options };
  const parts: TemplatePart[] = [];
  const violations: TemplateViolation[] = [];
  const violation = (code: TemplateViolationCode, what: Message, offset: number, length: number): void =>
    void violations.push(createViolation<TemplateViolationCode>(text, { code, message: what, offset, length }));
  let at = 0;
  let count = 0;
  const addText = (literal: string): void => void (literal === '' || parts.push({ kind: 'text', text: literal }));
  for (let next = findNext(text, at); next; next = findNext(text, at)) {
    addText(next.before);
    at = next.end;
    if (next.isEscaped) continue;
    if (++count > placeholders) {
      violation('too_many_placeholders', message`expected at most ${placeholders} placeholders`, next.open, 2);
      at = next.open;
      break;
    }
    if (next.close === undefined) {
      violation('unclosed_placeholder', message`expected ${'"}}"'} after ${'"{{"'}`, next.open, 2);
      addText('{{');
      continue;
    }
    const inside = trimmed(text, next.open + 2, next.close);
    const read = inside.text === '' ? undefined : readDatapath(text, inside, options);
    at = next.close + 2;
    if (read && 'datapath' in read)
      parts.push({ kind: 'placeholder', ...read, offset: inside.offset, isInTag: isInTag(text, next.open) });
    else addText(text.slice(next.open, at));
    if (read && 'violations' in read) violations.push(...read.violations);
    if (!read)
      violation(
        'empty_placeholder',
        message`expected a datapath such as ${'"application.user.firstname"'} between ${'"{{"'} and ${'"}}"'}`,
        next.open,
        at - next.open,
      );
  }
  addText(text.slice(at));
  return { text, parts, violations };
}

function readDatapath(
  template: string,
  { text, offset }: { readonly text: string; readonly offset: number },
  options: SyntaxOptions,
): { readonly datapath: Datapath } | { readonly violations: readonly TemplateViolation[] } {
  try {
    return { datapath: parseDatapath(text, options) };
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    return { violations: error.violations.map((violation) => movedTo(template, offset, violation)) };
  }
}

/** Moves a violation in a placeholder's datapath, such as an unknown name, to its position in the template. */
export const placeholderViolation = (
  { text }: ParsedTemplate,
  { offset }: Placeholder,
  violation: DatapathViolation,
): TemplateViolation => movedTo(text, offset, violation);

const movedTo = (
  template: string,
  by: number,
  { code, message: what, offset, length, expected, found, hint }: DatapathViolation,
): TemplateViolation =>
  createViolation<ViolationCode>(template, {
    code,
    message: what,
    offset: by + offset,
    length,
    expected,
    ...(found !== null && { found }),
    hint: hint ?? undefined,
  });

const isInTag = (html: string, offset: number): boolean =>
  html.lastIndexOf('<', offset) > html.lastIndexOf('>', offset);
