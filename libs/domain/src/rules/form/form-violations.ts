import {
  checkExpression,
  DatapathError,
  violationMessage,
  parseExpression,
  type CheckedExpression,
} from '@ats/datapath';
import { type Message, message } from '@ats/message';
import { type DomainModel } from '../../objects/object-model.js';
import { type Violation } from '../../vocabulary/validation-error.js';
import { FORM_LIMITS } from './form-body.js';
import { FORM_ROOTS, type FormResource, isSelect, ITEM_TYPES, type ItemType } from '../../objects/form.model.js';
import { withoutLists } from '../../facts/closed-values.js';
import { modelWithKeys } from '../../facts/form-items.js';
import { PATTERN_LIMITS, Patterns } from './pattern.js';

type Given = Readonly<Record<string, unknown>>;

/**
 * A section, item or option in the body of a form, as the client sent it, with its JSON pointer. Its properties are not
 * validated.
 */
export interface Part {
  readonly path: string;
  readonly given: Given;
}

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the parts in a list of the body. Returns none for a list that is too long, because the schema of the body
 * reports it.
 */
function partsAt({ path, given }: Part, name: 'sections' | 'items' | 'options'): Part[] {
  const list = given[name];
  return Array.isArray(list) && list.length <= FORM_LIMITS[name]
    ? list.flatMap((element: unknown, index) =>
        isObject(element) ? [{ path: `${path}/${name}/${index}`, given: element }] : [],
      )
    : [];
}

export const sectionsOf = (given: Given): Part[] => partsAt({ path: '', given }, 'sections');
export const itemsOf = (given: Given): Part[] => sectionsOf(given).flatMap((section) => partsAt(section, 'items'));
export const optionsOf = (item: Part): Part[] => partsAt(item, 'options');

export const typeOf = ({ given }: Part): ItemType | undefined => ITEM_TYPES.find((type) => type === given['type']);
export const resourceOf = ({ resource }: Given): FormResource | undefined =>
  typeof resource === 'string' && Object.hasOwn(FORM_ROOTS, resource) ? (resource as FormResource) : undefined;

/**
 * Returns the violations of rules that concern several parts of a form. Parts that are invalid by themselves are
 * skipped.
 * @param model  includes the items of other forms that conditions name
 * @param stored  the conditions of the stored form; they may still compare with values that a closed list no longer has
 */
export function partViolations(given: Given, model: DomainModel, stored: readonly string[]): Violation[] {
  const items = itemsOf(given);
  const patterns = new Patterns();
  return [
    ...repeated(items, 'key', message`the form has another item with this key`),
    ...[sectionsOf(given), items, items.flatMap(optionsOf)].flatMap((parts) =>
      repeated(parts, 'id', message`the request contains this id more than once`),
    ),
    ...items.flatMap((item) => [...optionViolations(item), ...validationViolations(item, patterns)]),
    ...conditionViolations(items, given, { model, stored }),
  ];
}

function repeated(parts: readonly Part[], name: string, info: Message): Violation[] {
  const seen = new Set<unknown>();
  return parts.flatMap(({ path, given }) => {
    const value = given[name];
    if (value === undefined || value === null || !seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [{ path: `${path}/${name}`, code: name === 'id' ? 'invalid' : 'already_exists', info }];
  });
}

function optionViolations(item: Part): Violation[] {
  const type = typeOf(item);
  const options = optionsOf(item);
  const path = `${item.path}/options`;
  const list = item.given['options'] ?? [];
  const isEmpty = Array.isArray(list) && list.length === 0;
  if (type && isSelect(type) && isEmpty)
    return [{ path, code: 'missing', info: message`an item of the type select needs options` }];
  if (type && !isSelect(type) && !isEmpty)
    return [{ path, code: 'invalid', info: message`an item of the type ${type} has no options` }];
  return repeated(options, 'value', message`the item has another option with this value`);
}

const NUMBERS: readonly ItemType[] = ['integer', 'decimal'];
const TEXTS: readonly ItemType[] = ['text', 'textarea', 'email', 'phone'];
/** Maps each limit to the types of items that may have it. */
const LIMITED: Readonly<Record<string, readonly ItemType[]>> = {
  min: NUMBERS,
  max: NUMBERS,
  max_length: [...TEXTS, 'rich_text'],
  pattern: TEXTS,
};

function validationViolations(item: Part, patterns: Patterns): Violation[] {
  const { validation } = item.given;
  if (!isObject(validation)) return [];
  const type = typeOf(item);
  const path = `${item.path}/validation`;
  const violations: Violation[] = [];
  for (const [name, types] of Object.entries(LIMITED)) {
    const isGiven = validation[name] !== undefined && validation[name] !== null;
    if (isGiven && type && !types.includes(type))
      violations.push({
        path: `${path}/${name}`,
        code: 'invalid',
        info: message`the limit ${name} does not apply to items of the type ${type}`,
      });
  }
  const { min, max, max_length, pattern } = validation;
  if (typeof min === 'number' && typeof max === 'number' && max < min)
    violations.push({ path: `${path}/max`, code: 'invalid', info: message`expected at least the value of ${'min'}` });
  if (typeof pattern !== 'string' || isLonger(pattern, FORM_LIMITS.patternLength)) return violations;
  const violation = patterns.violation(pattern);
  const { textLength } = PATTERN_LIMITS;
  if (typeof max_length === 'number' && max_length > textLength)
    violations.push({
      path: `${path}/max_length`,
      code: 'invalid',
      info: message`expected at most ${textLength} for an item with a pattern`,
    });
  if (violation) violations.push({ path: `${path}/pattern`, code: 'invalid', info: violation });
  return violations;
}

/**
 * True when a text exceeds the length that its schema allows. The schema reports this, so no second violation is added.
 */
const isLonger = (text: string, most: number): boolean => text.length > most && [...text].length > most;

function conditionViolations(
  items: readonly Part[],
  form: Given,
  { model, stored }: { readonly model: DomainModel; readonly stored: readonly string[] },
): Violation[] {
  const resource = resourceOf(form);
  if (!resource) return [];
  const types = new Map(
    items.flatMap((item) =>
      typeof item.given['key'] === 'string' ? [[item.given['key'], typeOf(item) ?? 'text'] as const] : [],
    ),
  );
  const own = modelWithKeys(model, FORM_ROOTS[resource], types);
  const known = new Set<unknown>(stored);
  const open = withoutLists(own);
  return items.flatMap((item) =>
    conditionViolationsOf(item, resource, known.has(item.given['visible_if']) ? open : own),
  );
}

function conditionViolationsOf(
  { path, given: { visible_if } }: Part,
  resource: FormResource,
  model: DomainModel,
): Violation[] {
  if (typeof visible_if !== 'string' || isLonger(visible_if, FORM_LIMITS.conditionLength)) return [];
  try {
    checkCondition(visible_if, resource, model);
    return [];
  } catch (error) {
    if (!(error instanceof DatapathError)) throw error;
    return error.violations.map((violation) => ({
      path: `${path}/visible_if`,
      code: 'invalid',
      info: violationMessage(violation),
    }));
  }
}

/**
 * Checks the condition of a form item.
 * @throws {DatapathError} with all violations of the text
 * Source: docs/reference/forms.md, "Visibility".
 */
export const checkCondition = (text: string, resource: FormResource, model: DomainModel): CheckedExpression =>
  checkExpression(parseExpression(text, model), model, [FORM_ROOTS[resource]]);
