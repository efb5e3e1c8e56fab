import { createFault, DatapathError, type Fault, formatFault, resolveDatapath } from '@ats/datapath';
import {
  type ParsedTemplate,
  parseTemplate,
  type Placeholder,
  placeholderFault,
  type TemplateFault,
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
import { type ValidationFault } from '../../vocabulary/validation-error.js';

/** The two texts of a message, as a client sends them or as they are stored. */
export interface MessageTexts {
  readonly subject: string;
  /** HTML. */
  readonly body: string;
}

/** A parsed template. */
export interface MessageTemplate {
  readonly subject: ParsedTemplate;
  /** The parsed, sanitised HTML. */
  readonly body: ParsedTemplate;
  /** The column to read for each placeholder, by the text of its datapath. */
  readonly columns: ReadonlyMap<string, LayoutColumn>;
}

/** All violations of the placeholders, each with its place. */
export interface FaultyTemplate {
  readonly faults: readonly [ValidationFault, ...ValidationFault[]];
}

/**
 * Parses the placeholders of a subject and a body. A placeholder may be any datapath that starts from an application.
 * Source: docs/reference/communications.md, "Placeholders".
 */
export async function readTemplate(run: RunQuery, texts: MessageTexts): Promise<MessageTemplate | FaultyTemplate> {
  const subject = parseTemplate(texts.subject);
  const body = parseTemplate(readRichText(texts.body).html);
  const model = await modelForTexts(run, [subject.text, body.text]);
  const check = new PlaceholderCheck(model);
  const [first, ...others] = [
    ...toFaults('/subject', check.faultsOf(subject)),
    ...toFaults('/body', placesAsGiven(check.faultsOf(body), parseTemplate(texts.body), check)),
  ];
  return first ? { faults: [first, ...others] } : { subject, body, columns: check.columns };
}

/** The violations of placeholders. Values that are not texts are skipped: the schema of the body reports them. */
export async function templateFaults(
  run: RunQuery,
  { subject, body }: { readonly subject?: unknown; readonly body?: unknown },
): Promise<readonly ValidationFault[]> {
  try {
    const read = await readTemplate(run, {
      subject: typeof subject === 'string' ? subject : '',
      body: typeof body === 'string' ? body : '',
    });
    return 'faults' in read ? read.faults : [];
  } catch (error) {
    if (error instanceof RichTextError) return typeof subject === 'string' ? templateFaults(run, { subject }) : [];
    throw error;
  }
}

/**
 * The datapaths that a template reads, without the root's name. The client's scopes must cover them.
 * Source: docs/reference/communications.md, "Scopes".
 */
export const templateDatapaths = ({ columns }: MessageTemplate): readonly string[] =>
  [...columns.values()].map(({ value }) => value);

/** Checks the placeholders of one template. Subject and body share the limit of related objects. */
class PlaceholderCheck {
  readonly columns = new Map<string, LayoutColumn>();
  readonly #related = new Set<string>();

  constructor(private readonly model: DomainModel) {}

  faultsOf(template: ParsedTemplate): readonly TemplateFault[] {
    const placeholders = template.parts.filter((part) => part.kind === 'placeholder');
    const faults = [
      ...template.faults,
      ...placeholders.flatMap((placeholder) => this.#faultsOf(template, placeholder)),
    ];
    return faults.sort((a, b) => a.offset - b.offset);
  }

  #faultsOf(template: ParsedTemplate, placeholder: Placeholder): readonly TemplateFault[] {
    const { datapath } = placeholder;
    const place = (faults: readonly Fault[]): readonly TemplateFault[] =>
      faults.map((fault) => placeholderFault(template, placeholder, fault));
    try {
      resolveDatapath(datapath, this.model, application.name);
    } catch (error) {
      if (error instanceof DatapathError) return place(error.faults);
      throw error;
    }
    const whole = (code: Fault['code'], what: Message): readonly TemplateFault[] =>
      place([createFault(datapath.text, { code, message: what, offset: 0, length: datapath.text.length })]);
    const column = readLayoutColumn(application, datapath.text, this.model);
    if ('faults' in column) return column.faults.flatMap((fault) => whole('not_a_value', fault));
    if (this.columns.has(datapath.text)) return [];
    this.columns.set(datapath.text, column);
    for (const step of stepsOf(column, this.columns.size)) this.#related.add(step);
    if (this.#related.size <= LAYOUT_LIMITS.relatedObjects) return [];
    return whole(
      'limit_exceeded',
      message`expected at most ${LAYOUT_LIMITS.relatedObjects} related objects that all placeholders together read`,
    );
  }
}

/**
 * Moves violations from their places in the sanitised HTML to those in the client's text. When the client's text has
 * another number of violations, the places stay those of the sanitised HTML.
 */
function placesAsGiven(
  faults: readonly TemplateFault[],
  given: ParsedTemplate,
  check: PlaceholderCheck,
): readonly TemplateFault[] {
  if (faults.length === 0) return faults;
  const same = check.faultsOf(given);
  return same.length === faults.length ? same : faults;
}

const toFaults = (path: string, faults: readonly TemplateFault[]): readonly ValidationFault[] =>
  faults.map((fault) => ({ path, code: 'invalid', info: formatFault(fault) }));
