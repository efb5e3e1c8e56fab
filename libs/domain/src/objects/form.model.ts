import { boolean, decimal, id, idList, integer, localisedText, text } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { embedded, toMany } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';

/** What a form collects values about: names of collections, each with the object type that its conditions start from. */
export const FORM_ROOTS = {
  applications: 'application',
  event_applications: 'application',
  vacancies: 'vacancy',
  events: 'event',
} as const;
export type FormResource = keyof typeof FORM_ROOTS;
export const FORM_RESOURCES = Object.keys(FORM_ROOTS) as [FormResource, ...FormResource[]];

export const ITEM_TYPES = [
  'text',
  'textarea',
  'rich_text',
  'integer',
  'decimal',
  'boolean',
  'date',
  'datetime',
  'single_select',
  'multi_select',
  'email',
  'phone',
] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

export const isSelect = (type: ItemType): boolean => type === 'single_select' || type === 'multi_select';

/** What writes of form values answer with beside the common codes, listed by the resources that have such values. */
export const FORM_VALUES_ERROR_CODES = {
  not_visible: 'the condition of the form item does not hold with the values as they would be',
} as const;

export const formOption = objectType({
  name: 'form_option',
  table: 'form_options',
  properties: {
    id: id(),
    value: text({ description: 'What is written and read, and what conditions compare.' }),
    label: localisedText(),
  },
});

/** The limits of an item's values; lives in the item's row. */
export const formValidation = objectType({
  name: 'form_validation',
  properties: {
    min: decimal({ nullable: true }),
    max: decimal({ nullable: true }),
    max_length: integer({ nullable: true }),
    pattern: text({
      nullable: true,
      description: 'A regular expression in the syntax of RE2 that the whole value must match.',
    }),
    is_given: boolean({
      nullable: true,
      computed: {
        sql: (alias) =>
          `CASE WHEN num_nonnulls(${['min', 'max', 'max_length', 'pattern'].map((column) => `${alias}.${column}`).join(', ')}) > 0 THEN true END`,
        memory: ({ min, max, max_length, pattern }) =>
          [min, max, max_length, pattern].some((value) => value !== null && value !== undefined) ? true : null,
      },
    }),
  },
});

export const formItem = objectType({
  name: 'form_item',
  table: 'form_items',
  properties: {
    id: id(),
    key: text({ description: 'Names the item within its form, for conditions of the form and for people.' }),
    label: localisedText(),
    type: text({ values: ITEM_TYPES }),
    options: toMany('form_option', 'item_id', { shows: ['id', 'value', 'label'], description: 'Of selects alone.' }),
    required: boolean({ description: 'Counts while the item is visible, for requests that write values of its form.' }),
    visible_if: text({ nullable: true, description: 'A condition; without one the item is always visible.' }),
    validation: embedded('form_validation', {
      shows: ['min', 'max', 'max_length', 'pattern'],
      presentIf: 'is_given',
      nullable: true,
    }),
  },
});

export const formSection = objectType({
  name: 'form_section',
  table: 'form_sections',
  properties: {
    id: id(),
    name: localisedText(),
    repeatable: boolean(),
    items: toMany('form_item', 'section_id', {
      shows: ['id', 'key', 'label', 'type', 'options', 'required', 'visible_if', 'validation'],
    }),
  },
});

/** Source: CONTRACT.md 5 and 11, `forms`. */
export const form = objectType({
  name: 'form',
  table: 'forms',
  scopes: ['forms'],
  errorCodes: { in_use: 'values would be lost or no longer fit' },
  properties: {
    ...identity(urlIn('forms')),
    name: text({ shown: true, write: 'required' }),
    resource: text({
      shown: true,
      write: 'required',
      values: FORM_RESOURCES,
      description: 'What the values are about.',
    }),
    opportunity_ids: idList({
      shown: true,
      write: 'optional',
      description:
        'The vacancies or events that the form is for, and whose applications it is for; empty: all of them.',
    }),
    sections: toMany('form_section', 'form_id', { shows: ['id', 'name', 'repeatable', 'items'] }),
  },
});

export const forms = resource({
  name: 'forms',
  type: form,
  describe: {
    group: 'Recruitment',
    title: 'Forms',
    text: 'Custom questions about applications, vacancies and events. Conditions decide when a question appears.',
  },
});
