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

/** The two texts of a message, as a client writes them or as they are stored. */
export interface MessageTexts {
  readonly subject: string;
  /** HTML. */
  readonly body: string;
}

/** A template, understood. */
export interface MessageTemplate {
  readonly subject: ParsedTemplate;
  /** Of the sanitised HTML. */
  readonly body: ParsedTemplate;
  /** What to read for each placeholder, by the text of its datapath. */
  readonly columns: ReadonlyMap<string, LayoutColumn>;
}

/** Every fault of the placeholders, each with its place. */
export interface FaultyTemplate {
  readonly faults: readonly [ValidationFault, ...ValidationFault[]];
}

/**
 * Reads the placeholders of a subject and a body: any datapath from an application.
 * Source: CONTRACT.md 5, `message_templates`.
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

/** What is wrong with the placeholders of texts that may be no texts at all: their form is for others to judge. */
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

/** Every datapath that a template reads, without the root's name: what a client must be allowed to read. CONTRACT.md 2. */
export const templateDatapaths = ({ columns }: MessageTemplate): readonly string[] =>
  [...columns.values()].map(({ value }) => value);

/** Judges the placeholders of the texts of one template, which read related objects together. */
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

/** Faults of sanitised HTML, at their places in the text as it was given where it has as many: a client knows what it wrote. */
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
