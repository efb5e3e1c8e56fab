// @ts-check
import { element } from './dom.js';

/** A condition that this page understands: one question has, or does not have, one value. */
const CONDITION = /^application\.formdata\.(\w+) (==|!=) "([^"]*)"$/;

/** @typedef {Record<string, any>} Schema a part of a JSON Schema */

/**
 * Makes a field for one property, with a place for its error.
 * @param {string} path JSON pointer of the property in the body of the application
 * @param {Schema} schema
 * @param {boolean} isRequired
 */
export function field(path, schema, isRequired) {
  const id = path.slice(1).replaceAll('/', '-');
  const label = `${schema.title ?? path.split('/').at(-1)}${isRequired ? ' *' : ''}`;
  const error = element('p', { class: 'error', id: `${id}-error`, role: 'alert' });
  const attributes = { id, 'aria-describedby': error.id, 'aria-required': isRequired ? 'true' : undefined };
  return element(
    'div',
    { class: 'field', 'data-path': path, 'data-key': schema['x-key'], 'data-visible-if': schema['x-visible-if'] },
    element('label', { for: id }, label),
    input(schema, attributes),
    error,
  );
}

/**
 * Makes the input element that fits a JSON Schema.
 * @param {Schema} schema
 * @param {Record<string, string | undefined>} attributes
 */
function input(schema, attributes) {
  if (schema.oneOf) return element('select', attributes, element('option', { value: '' }), ...options(schema.oneOf));
  if (schema.type === 'array')
    return element('select', { ...attributes, multiple: true }, ...options(schema.items.oneOf));
  if (schema.type === 'boolean') return element('input', { ...attributes, type: 'checkbox' });
  if (schema.type === 'integer' || schema.type === 'number')
    return element('input', { ...attributes, type: 'number', step: 'any' });
  if (schema.contentMediaType || schema['x-type'] === 'textarea') return element('textarea', { ...attributes, rows: '6' });
  const types = { date: 'date', 'date-time': 'datetime-local', email: 'email' };
  return element('input', { ...attributes, type: types[/** @type {keyof types} */ (schema.format)] ?? 'text' });
}

/**
 * Makes an option element for each choice.
 * @param {{ const: string, title: string }[]} choices
 */
const options = (choices) => choices.map(({ const: value, title }) => element('option', { value }, title));

/**
 * Reads the value of a field. Undefined for an empty or hidden one.
 * @param {Element} of
 */
export function valueOf(of) {
  const control = of.querySelector('input, select, textarea');
  if (of.hasAttribute('hidden') || !control) return undefined;
  if (control instanceof HTMLSelectElement && control.multiple) {
    const chosen = [...control.selectedOptions].map(({ value }) => value);
    return chosen.length > 0 ? chosen : undefined;
  }
  const { value } = /** @type {HTMLInputElement} */ (control);
  if (control instanceof HTMLInputElement) {
    if (control.type === 'checkbox') return control.checked || undefined;
    if (value !== '' && control.type === 'number') return Number(value);
    if (value !== '' && control.type === 'datetime-local') return new Date(value).toISOString();
  }
  return value === '' ? undefined : value;
}

/**
 * Shows the questions whose conditions hold. Other conditions than `CONDITION` are left to the service: its answer
 * names a question that is not visible.
 * @param {Element} form
 */
export function showVisible(form) {
  for (const shown of form.querySelectorAll('[data-visible-if]')) {
    const [, key, operator, value] = CONDITION.exec(shown.getAttribute('data-visible-if') ?? '') ?? [];
    const other = key && form.querySelector(`[data-key="${key}"]`);
    if (other) shown.toggleAttribute('hidden', (valueOf(other) === value) !== (operator === '=='));
  }
}
