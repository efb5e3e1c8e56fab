import {
  type ApplicationQuestions,
  candidates,
  formValuesSchema,
  type JsonSchema,
  MAX_DOCUMENTS,
  MAX_VIOLATIONS,
  type QuestionItem,
  type QuestionSection,
  type Violation,
  writeSchema,
} from '@ats/domain';
import { message, type Message } from '@ats/message';
import { z } from 'zod';
import { checkBody, membersOf, pointerTo } from '../request/body.js';
import { bodySchema } from '../vocabulary/body-schema.js';
import { isJsonObject } from '../vocabulary/merge-patch.js';

export type Questions = readonly ApplicationQuestions[];
type Item = QuestionItem;
type Label = (text: QuestionItem['label']) => string;

/** A field that people do not see and therefore leave empty. Only a program fills it in. */
export const HONEYPOT = 'website';

/** The property with the proof of a challenge service. */
export const PROOF = 'proof';

const MAX_TOKEN_LENGTH = 500;
const MAX_PROOF_LENGTH = 10_000;

/** The properties of a candidate that an applicant may send. Only recruiters may set the others. */
const APPLICANT_PROPERTIES = {
  firstname: true,
  lastname: true,
  email: true,
  preferred_name: true,
  Address: true,
  Phone: true,
  Url: true,
  current_employer: true,
  current_title: true,
} as const;

const applicant = writeSchema(candidates.type).pick(APPLICANT_PROPERTIES);

/** The body of an application through a public board. Source: docs/reference/public-board.md, "Applying". */
export const boardApplicationSchema = z.strictObject({
  candidate: applicant.describe('The person who applies.'),
  answers: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Answers to the questions, as the schema of the form describes them.'),
  documents: z
    .array(z.string().max(MAX_TOKEN_LENGTH))
    .max(MAX_DOCUMENTS)
    .optional()
    .describe('The `document` of each answer to an upload for this posting. The documents belong to the application.'),
  token: z.string().max(MAX_TOKEN_LENGTH).describe('The `token` of the form.'),
  [PROOF]: z
    .string()
    .max(MAX_PROOF_LENGTH)
    .optional()
    .describe('The proof of the challenge service, when the form requires it.'),
  [HONEYPOT]: z
    .string()
    .max(MAX_TOKEN_LENGTH)
    .optional()
    .describe('Must be empty. Hide this field from people: an application that fills it in is dropped.'),
});

const sectionName = ({ id }: Pick<QuestionSection, 'id'>): string => `section_${id}`;
const itemName = ({ id }: Pick<Item, 'id'>): string => `item_${id}`;

/**
 * Returns the JSON Schema (2020-12) of the body of an application, with the questions of all forms that apply.
 * @param labelOf  returns a text in the language of the reader
 * @param siteKey  the key of the page at the challenge service; undefined when applications need no proof
 */
export function applicationFormSchema(questions: Questions, labelOf: Label, siteKey?: string): JsonSchema {
  const body = bodySchema(boardApplicationSchema) as JsonSchema & { readonly properties: Record<string, JsonSchema> };
  const { [PROOF]: proof, ...properties } = body.properties;
  const sections = questions.flatMap((form) => form.sections.map((section) => ({ form, section })));
  const required = sections.filter(({ form, section }) => isRequired(form, section)).map(({ section }) => section);
  const answers = {
    type: 'object',
    properties: Object.fromEntries(
      sections.map(({ form, section }) => [sectionName(section), sectionSchema(form, section, labelOf)]),
    ),
    required: required.map(sectionName),
    additionalProperties: false,
  };
  return {
    ...body,
    properties: {
      ...properties,
      answers,
      ...(siteKey !== undefined && { [PROOF]: { ...proof, minLength: 1, 'x-site-key': siteKey } }),
    },
    required: [
      'candidate',
      'token',
      ...(siteKey === undefined ? [] : [PROOF]),
      ...(required.length > 0 ? ['answers'] : []),
    ],
  };
}

const isAlwaysRequired = ({ required, visible_if }: Item): boolean => required && visible_if === null;
const isRequired = ({ onApply }: ApplicationQuestions, { items }: QuestionSection): boolean =>
  onApply === 'required' && items.some(isAlwaysRequired);

function sectionSchema(form: ApplicationQuestions, section: QuestionSection, labelOf: Label): JsonSchema {
  const items = {
    type: 'object',
    properties: Object.fromEntries(section.items.map((item) => [itemName(item), itemSchema(item, labelOf)])),
    ...(isRequired(form, section) && { required: section.items.filter(isAlwaysRequired).map(itemName) }),
    additionalProperties: false,
  };
  const title = labelOf(section.name);
  if (!section.repeatable) return { title, 'x-on-apply': form.onApply, ...items };
  const least = isRequired(form, section) ? { minItems: 1 } : {};
  return { title, 'x-on-apply': form.onApply, type: 'array', items, ...least };
}

const itemSchema = (item: Item, labelOf: Label): JsonSchema => ({
  title: labelOf(item.label),
  ...valueSchema(item, labelOf),
  'x-type': item.type,
  'x-key': item.key,
  ...(item.required && { 'x-required': true }),
  ...(item.visible_if !== null && { 'x-visible-if': item.visible_if }),
});

function valueSchema(item: Item, labelOf: Label): JsonSchema {
  const { type, min, max, max_length, pattern } = item;
  const choices = { oneOf: item.options.map(({ value, label }) => ({ const: value, title: labelOf(label) })) };
  const range = { ...(min !== null && { minimum: min }), ...(max !== null && { maximum: max }) };
  const text = {
    type: 'string',
    ...(max_length !== null && { maxLength: max_length }),
    ...(pattern !== null && { pattern: `^(?:${pattern})$` }),
  };
  switch (type) {
    case 'integer':
      return { type: 'integer', ...range };
    case 'decimal':
      return { type: 'number', ...range };
    case 'boolean':
      return { type: 'boolean' };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'datetime':
      return { type: 'string', format: 'date-time' };
    case 'email':
      return { ...text, format: 'email' };
    case 'single_select':
      return choices;
    case 'multi_select':
      return { type: 'array', uniqueItems: true, items: choices };
    case 'rich_text':
      return { ...text, contentMediaType: 'text/html' };
    case 'text':
    case 'textarea':
    case 'phone':
      return text;
  }
}

/** The answers of an application as form values. */
export interface ReadAnswers {
  readonly form_values: readonly { readonly item_id: number; readonly section_instance: number; value: unknown }[];
  /** For each form value, the JSON pointer of its answer in the body. */
  readonly pointers: readonly string[];
  /** Violations of the structure of `answers` and of the limits of form values. */
  readonly violations: readonly Violation[];
}

/**
 * Reads the answers that name sections and items of the forms. Empty texts and nulls count as no answer. Stops after
 * more violations than one answer lists.
 */
export function readAnswers(questions: Questions, answers: Readonly<Record<string, unknown>> = {}): ReadAnswers {
  const sections = new Map(
    questions.flatMap(({ sections }) => sections).map((section) => [sectionName(section), section] as const),
  );
  const names = [...sections.keys()];
  const read: Reading = { form_values: [], pointers: [], violations: [] };
  for (const [name, given] of Object.entries(answers)) {
    if (read.violations.length > MAX_VIOLATIONS) break;
    const place = ['answers', name];
    const section = sections.get(name);
    if (!section) read.violations.push(unknown(place, names));
    else if (!section.repeatable) readInstance(read, section, { given, place, instance: 1 });
    else if (!Array.isArray(given)) read.violations.push(invalid(place, message`expected a list of objects`));
    else
      given.forEach((one: unknown, index) =>
        readInstance(read, section, { given: one, place: [...place, index], instance: index + 1 }),
      );
  }
  const { violations = [] } = checkBody(formValuesSchema, { form_values: read.form_values });
  return {
    ...read,
    violations: [...read.violations, ...violations.map((violation) => atAnswer(violation, questions, read.pointers))],
  };
}

/** The answers that were read so far. */
interface Reading {
  readonly form_values: ReadAnswers['form_values'][number][];
  readonly pointers: string[];
  readonly violations: Violation[];
}

/** The answers to one section of a form, or to one instance of a repeatable section. */
interface GivenInstance {
  readonly given: unknown;
  /** The members of the JSON pointer at which the answers are in the body. */
  readonly place: readonly PropertyKey[];
  readonly instance: number;
}

function readInstance(
  { form_values, pointers, violations }: Reading,
  { items }: QuestionSection,
  { given, place, instance }: GivenInstance,
): void {
  if (violations.length > MAX_VIOLATIONS) return;
  if (!isJsonObject(given)) return void violations.push(invalid(place, message`expected an object`));
  const itemOf = new Map(items.map((item) => [itemName(item), item]));
  for (const [name, value] of Object.entries(given)) {
    const item = itemOf.get(name);
    if (!item) return void violations.push(unknown([...place, name], [...itemOf.keys()]));
    if (value === null || value === '') continue;
    form_values.push({ item_id: item.id, section_instance: instance, value });
    pointers.push(pointerTo([...place, name]));
  }
}

const invalid = (place: readonly PropertyKey[], info: Message): Violation => ({
  path: pointerTo(place),
  code: 'invalid',
  info,
});

const unknown = (place: readonly PropertyKey[], names: readonly string[]): Violation =>
  invalid(place, message`unknown property, expected one of ${names}`);

/** Changes a violation of a form value so that it points at the answer in the body. */
export function atAnswer(violation: Violation, questions: Questions, pointers: readonly string[]): Violation {
  const [first, index] = membersOf(violation.path);
  if (first !== 'form_values') return violation;
  const known = index === undefined ? undefined : pointers[Number(index)];
  return { ...violation, path: known ?? placeOf(violation, questions) };
}

/** Returns the JSON pointer for a violation about an answer that the body lacks. */
function placeOf({ item_id, section_instance = 1 }: Violation, questions: Questions): string {
  const section = questions
    .flatMap(({ sections }) => sections)
    .find(({ items }) => items.some(({ id }) => id === item_id));
  if (!section || item_id === undefined) return '/answers';
  const instance = section.repeatable ? `/${section_instance - 1}` : '';
  return `/answers/${sectionName(section)}${instance}/${itemName({ id: item_id })}`;
}
