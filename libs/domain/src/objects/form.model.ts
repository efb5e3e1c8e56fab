import { message } from '@ats/message';
import { boolean, decimal, id, idList, integer, localisedText, text } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { embedded, toMany } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';
import { eventsOf } from '../vocabulary/event-declaration.js';

/** The collections that can have forms, each with the object type with which the conditions of its forms begin. */
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

/**
 * Says whether a request that creates an application must have values of a form (`required`), may have them
 * (`optional`), or must not have them (`hidden`).
 */
const ON_APPLY = ['required', 'optional', 'hidden'] as const;
export type OnApply = (typeof ON_APPLY)[number];

export const isSelect = (type: ItemType): boolean => type === 'single_select' || type === 'multi_select';

/** Error codes that only writes of form values return. Source: docs/reference/forms.md. */
export const FORM_VALUES_ERROR_CODES = {
  not_visible: 'the form item is not visible: its condition does not hold with the values after the request',
} as const;

export const formOption = objectType({
  name: 'form_option',
  table: 'form_options',
  properties: {
    id: id(),
    value: text({ content: 'key', description: 'The value that clients write and read, and that conditions compare.' }),
    label: localisedText(),
  },
});

/** The limits of the values of a form item. They are stored in the row of the item. */
export const formValidation = objectType({
  name: 'form_validation',
  properties: {
    min: decimal({ nullable: true }),
    max: decimal({ nullable: true }),
    max_length: integer({ nullable: true }),
    pattern: text({
      content: 'key',
      nullable: true,
      description: 'A regular expression in the syntax of RE2 that the whole value must match.',
    }),
    is_given: boolean({
      nullable: true,
      computed: {
        sql: (alias) => {
          const columns = ['min', 'max', 'max_length', 'pattern'].map((column) => `${alias}.${column}`);
          return `CASE WHEN num_nonnulls(${columns.join(', ')}) > 0 THEN true END`;
        },
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
    key: text({ content: 'key', description: 'The name of the item within its form. Conditions of the form use it.' }),
    label: localisedText(),
    type: text({ values: ITEM_TYPES }),
    options: toMany('form_option', 'item_id', { shows: ['id', 'value', 'label'], description: 'For selects only.' }),
    required: boolean({
      description:
        'True when the item needs a value while it is visible. A request that writes values of the form and leaves ' +
        'the item empty is refused.',
    }),
    visible_if: text({
      content: 'expression',
      nullable: true,
      description: 'The condition under which the item is visible. An item without a condition is always visible.',
    }),
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

/** A form. Source: docs/reference/forms.md. */
export const form = objectType({
  name: 'form',
  table: 'forms',
  scopes: ['forms'],
  errorCodes: { in_use: 'existing values would be lost or become invalid' },
  properties: {
    ...identity(urlIn('forms')),
    name: text({ shown: true, write: 'required' }),
    resource: text({
      shown: true,
      write: 'required',
      values: FORM_RESOURCES,
      description: 'The collection whose items have values of the form.',
    }),
    opportunity_ids: idList({
      shown: true,
      write: 'optional',
      description: 'Limits the form to these vacancies or events, or to their applications. Empty means all.',
    }),
    on_apply: text({
      shown: true,
      write: 'optional',
      values: ON_APPLY,
      description:
        'The part of the form in `POST` of an application. `required`: every visible required item needs a value, ' +
        'also when the request has no values of the form. `optional` (the default): required items need a value only ' +
        'when the request has values of the form. `hidden`: the request must not have values of the form.',
    }),
    sections: toMany('form_section', 'form_id', { shows: ['id', 'name', 'repeatable', 'items'] }),
  },
});

export const forms = resource({
  name: 'forms',
  type: form,
  quotas: [{ most: 1_000 }],
  describe: {
    group: 'Recruitment',
    title: 'Forms',
    text: 'Custom questions about applications, vacancies and events. Conditions decide when a question appears.',
  },
  attributeFilters: ['resource'],
  appliesToFilters: [
    {
      parameter: 'opportunity_id',
      attribute: 'opportunity_ids',
      description:
        'Only forms that apply to this vacancy or event, or to its applications: forms that name the opportunity, and ' +
        'forms without `opportunity_ids`. Add `resource=applications` for the forms of an application to a vacancy.',
    },
  ],
});

export const formEvents = eventsOf('form', {
  FORM_CREATE: { on: 'create', text: message`A form was created.` },
  FORM_UPDATE: { on: 'update', text: message`Properties of a form changed.` },
  FORM_DELETE: { on: 'delete', text: message`A form was deleted.` },
});
