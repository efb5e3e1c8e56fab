import {
  createViolation,
  DatapathError,
  type DatapathViolation,
  violationMessage,
  resolveDatapath,
} from '@ats/datapath';
import {
  type ParsedTemplate,
  parseTemplate,
  type Placeholder,
  placeholderViolation,
  type TemplateViolation,
} from '@ats/mail-merge';
import { type Message, message } from '@ats/message';
import { readRichText, RichTextError } from '@ats/rich-text';
import { application } from '../../objects/application.model.js';
import { type RunQuery } from '../../reading/run-query.js';
import { modelForTexts } from '../../facts/form-items.js';
import { stepsOf } from '../layout/layout-body.js';
import { type LayoutColumn, readLayoutColumn } from '../../reading/layout-column.js';
import { LAYOUT_LIMITS } from '../../objects/layout.model.js';
import { type DomainModel } from '../../objects/object-model.js';
import { DATAPATH_SYNTAX } from '../../vocabulary/form-data.js';
import { type Violation } from '../../vocabulary/validation-error.js';

/** The subject and the body of a message, as a client sends them or as they are stored. */
export interface MessageTexts {
  readonly subject: string;
  /** The body as HTML. */
  readonly body: string;
}

/** A parsed template. */
export interface MessageTemplate {
  readonly subject: ParsedTemplate;
  /** The parsed, sanitised HTML. */
  readonly body: ParsedTemplate;
  /** Maps the text of each placeholder's datapath to the column to read. */
  readonly columns: ReadonlyMap<string, LayoutColumn>;
}

/** All violations of the placeholders. Each has its position in the subject or body. */
export interface InvalidTemplate {
  readonly violations: readonly [Violation, ...Violation[]];
}

/**
 * Parses the placeholders of a subject and a body. A placeholder may be any datapath that starts from an application.
 * Source: docs/reference/communications.md, "Placeholders".
 */
export async function readTemplate(run: RunQuery, texts: MessageTexts): Promise<MessageTemplate | InvalidTemplate> {
  const subject = parseTemplate(texts.subject, DATAPATH_SYNTAX);
  const body = parseTemplate(readRichText(texts.body).html, DATAPATH_SYNTAX);
  const model = await modelForTexts(run, [subject.text, body.text]);
  const check = new PlaceholderCheck(model);
  const [first, ...others] = [
    ...toViolations('/subject', check.violationsOf(subject)),
    ...toViolations(
      '/body',
      placesAsGiven(check.violationsOf(body), parseTemplate(texts.body, DATAPATH_SYNTAX), check),
    ),
  ];
  return first ? { violations: [first, ...others] } : { subject, body, columns: check.columns };
}

/**
 * Returns the violations of the placeholders in a subject and a body. It skips values that are not texts, because the
 * schema of the body reports them.
 */
export async function templateViolations(
  run: RunQuery,
  { subject, body }: { readonly subject?: unknown; readonly body?: unknown },
): Promise<readonly Violation[]> {
  try {
    const read = await readTemplate(run, {
      subject: typeof subject === 'string' ? subject : '',
      body: typeof body === 'string' ? body : '',
    });
    return 'violations' in read ? read.violations : [];
  } catch (error) {
    if (error instanceof RichTextError) return typeof subject === 'string' ? templateViolations(run, { subject }) : [];
    throw error;
  }
}

/**
 * Returns the datapaths that a template reads, without the root's name. The client needs the scopes for all of them.
 * Source: docs/reference/communications.md, "Scopes".
 */
export const templateDatapaths = ({ columns }: MessageTemplate): readonly string[] =>
  [...columns.values()].map(({ value }) => value);

/** Checks the placeholders of one template. The limit of related objects applies to subject and body together. */
class PlaceholderCheck {
  readonly columns = new Map<string, LayoutColumn>();
  readonly #related = new Set<string>();

  constructor(private readonly model: DomainModel) {}

  violationsOf(template: ParsedTemplate): readonly TemplateViolation[] {
    const placeholders = template.parts.filter((part) => part.kind === 'placeholder');
    const violations = [
      ...template.violations,
      ...placeholders.flatMap((placeholder) => this.#violationsOf(template, placeholder)),
    ];
    return violations.sort((a, b) => a.offset - b.offset);
  }

  #violationsOf(template: ParsedTemplate, placeholder: Placeholder): readonly TemplateViolation[] {
    const { datapath } = placeholder;
    const place = (violations: readonly DatapathViolation[]): readonly TemplateViolation[] =>
      violations.map((violation) => placeholderViolation(template, placeholder, violation));
    try {
      resolveDatapath(datapath, this.model, application.name);
    } catch (error) {
      if (error instanceof DatapathError) return place(error.violations);
      throw error;
    }
    const whole = (code: DatapathViolation['code'], what: Message): readonly TemplateViolation[] =>
      place([createViolation(datapath.text, { code, message: what, offset: 0, length: datapath.text.length })]);
    const column = readLayoutColumn(application, datapath.text, this.model);
    if ('violations' in column) return column.violations.flatMap((violation) => whole('not_a_value', violation));
    if (this.columns.has(datapath.text)) return [];
    this.columns.set(datapath.text, column);
    for (const step of stepsOf(column, this.columns.size)) this.#related.add(step);
    if (this.#related.size <= LAYOUT_LIMITS.relatedObjects) return [];
    return whole(
      'limit_exceeded',
      message`expected all placeholders together to read at most ${LAYOUT_LIMITS.relatedObjects} related objects`,
    );
  }
}

/**
 * Replaces the positions of violations in the sanitised HTML by the positions in the client's text. Returns the
 * violations unchanged when the client's text has another number of violations.
 */
function placesAsGiven(
  violations: readonly TemplateViolation[],
  given: ParsedTemplate,
  check: PlaceholderCheck,
): readonly TemplateViolation[] {
  if (violations.length === 0) return violations;
  const same = check.violationsOf(given);
  return same.length === violations.length ? same : violations;
}

const toViolations = (path: string, violations: readonly TemplateViolation[]): readonly Violation[] =>
  violations.map((violation) => ({ path, code: 'invalid', info: violationMessage(violation) }));
