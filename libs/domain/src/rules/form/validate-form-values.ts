import { type Message, message } from '@ats/message';
import {
  MAX_VIOLATIONS,
  type ViolatedItem,
  type Violation,
  type ViolationCode,
} from '../../vocabulary/validation-error.js';
import { type ConditionsContext } from './form-conditions.js';
import { type DefinedItem, type FormDefinition } from './form-definition.js';
import {
  isEmpty,
  isSameValue,
  placeKey,
  plainValue,
  type PlainValue,
  type ValuePlace,
  type ValueRow,
} from '../../reading/form-value.js';
import { type GivenValue, type GivenValues } from './form-values-body.js';
import { type Patterns } from './pattern.js';
import { readValue, shortened } from './read-value.js';

/** The values that a request writes to one owner. */
export interface OwnerValues extends GivenValues {
  readonly id: number;
  /** JSON pointer to the list in the body, such as `/form_values`. */
  readonly pointer: string;
}

export interface ValuesContext {
  /** Name of the collection. */
  readonly resource: string;
  /**
   * The id of the opportunity of the owner. A vacancy or event is its own opportunity. Undefined when it is unknown.
   */
  readonly opportunityId: number | undefined;
  /** True when the request creates the owner, which is then an application. The rules of `on_apply` then apply. */
  readonly isApplying: boolean;
  /** Maps the id of each form item to its form. */
  readonly formOf: ReadonlyMap<number, FormDefinition>;
  /** The owner's stored values; undefined when they are unknown. */
  readonly before: readonly ValueRow[] | undefined;
  readonly context: ConditionsContext;
  readonly patterns: Patterns;
  /** Returns the owner's value at a datapath. Throws when the value is unknown. */
  readonly objectValueOf: (datapath: string) => unknown;
}

/**
 * A form value that a write changes. `old` is absent when the value is new, and `current` is absent when it is cleared.
 */
export interface ValueChange {
  readonly key: string;
  readonly old?: ValueRow;
  readonly current?: ValueRow;
}

/** A form value of the body whose form item was found. */
interface Placed {
  readonly place: ValuePlace;
  readonly item: DefinedItem;
  readonly path: string;
}

/** Adds the properties of the form item to a violation about a form value. Returns other violations unchanged. */
export function withItem(violation: Violation, items: ReadonlyMap<string, ViolatedItem>): Violation {
  const [value] = /^.*\/form_values\/\d+(?=\/|$)/.exec(violation.path) ?? [];
  return value === undefined ? violation : { ...violation, ...items.get(value) };
}

const FIRST_ALONE: ReadonlySet<number> = new Set([1]);
const INVALID: unique symbol = Symbol('invalid');

/**
 * Computes what a write changes at one owner, and the violations of the write. It stops when there are more violations
 * than one answer lists. A rule that depends on an invalid value is not evaluated, because the value is unknown.
 */
export class ValidatedValues {
  readonly violations: Violation[] = [];
  readonly #before: ReadonlyMap<string, ValueRow>;
  readonly #after: Map<string, ValueRow | typeof INVALID>;
  readonly #placed = new Map<string, Placed>();
  /** Maps the JSON pointer of each form value in the body to the form item of the value. */
  readonly items = new Map<string, ViolatedItem>();
  /**
   * Caches for each item with a condition whether it is visible. The cache is filled only after all values are read.
   */
  readonly #visible = new Map<DefinedItem, boolean | undefined>();

  constructor(
    readonly owner: OwnerValues,
    private readonly of: ValuesContext,
  ) {
    this.#before = new Map((of.before ?? []).map((row) => [placeKey(row), row]));
    this.#after = new Map(this.#before);
    for (const given of owner.given) this.#take(given);
    for (const placed of this.#placed.values()) this.#checkVisible(placed);
    for (const place of this.#required()) {
      if (this.violations.length > MAX_VIOLATIONS) break;
      this.#checkRequired(place);
    }
  }

  get changes(): readonly ValueChange[] {
    return [...this.#placed.keys()].flatMap((key): ValueChange[] => {
      const old = this.#before.get(key);
      const current = this.#after.get(key);
      if (current === INVALID || (old && current && isSameValue(old, current)) || (!old && !current)) return [];
      return [{ key, ...(old && { old }), ...(current && { current }) }];
    });
  }

  #take(given: GivenValue): void {
    const { path } = given;
    const place = {
      item_id: given.item_id,
      section_instance: given.section_instance ?? 1,
      form_instance: given.form_instance ?? 1,
    };
    const key = placeKey(place);
    // A stored value can be cleared even if its form no longer applies to the owner.
    const isCleared = given.value === null && this.#before.has(key);
    const item = this.#find(given.item_id, isCleared);
    if (!item)
      return this.#violation(`${path}/item_id`, 'invalid', message`no form of this object has an item with this id`);
    this.items.set(path, { item_key: item.key, ...place });
    if (given.value === undefined) return this.#leaveOpen(key, { place, item, path });
    if (place.section_instance > 1 && !item.isRepeatable && !isCleared)
      this.#violation(
        `${path}/section_instance`,
        'invalid',
        message`the section is not repeatable: expected the section instance ${1}`,
      );
    if (given.value !== null && this.#isHidden(this.of.formOf.get(item.id)))
      return this.#violation(
        `${path}/item_id`,
        'form_hidden',
        message`the form of this item is hidden in applications: set the value after the application is created`,
      );
    if (this.#placed.has(key))
      return this.#violation(path, 'invalid', message`the request sets this form value more than once`);
    this.#placed.set(key, { place, item, path });
    this.#after.delete(key);
    if (given.value === null) return;
    const read = readValue(item, given.value, { patterns: this.of.patterns, before: this.#before.get(key) });
    this.#after.set(
      key,
      read.violation === undefined ? { owner_id: this.owner.id, ...place, ...read.columns } : INVALID,
    );
    if (read.violation !== undefined) this.#violation(`${path}/value`, 'invalid', read.violation);
  }

  /** Treats the form value of an entry without `value` as unknown. The schema of the body already reports the entry. */
  #leaveOpen(key: string, placed: Placed): void {
    if (this.#placed.has(key)) return;
    this.#placed.set(key, placed);
    this.#after.set(key, INVALID);
  }

  #find(itemId: number, isCleared: boolean): DefinedItem | undefined {
    const form = this.of.formOf.get(itemId);
    return form && (isCleared || this.#applies(form)) ? form.itemOf.get(itemId) : undefined;
  }

  /** True when the form applies to the owner. */
  #applies({ resource, opportunityIds }: FormDefinition): boolean {
    const { opportunityId } = this.of;
    return (
      resource === this.of.resource &&
      (opportunityIds.length === 0 || opportunityId === undefined || opportunityIds.includes(opportunityId))
    );
  }

  /** True when the request must not have values of this form. */
  #isHidden(form: FormDefinition | undefined): boolean {
    return this.of.isApplying && form?.onApply === 'hidden';
  }

  #checkVisible({ place, item, path }: Placed): void {
    const value = this.#after.get(placeKey(place));
    if (value === undefined || value === INVALID || this.#isVisible(item) !== false) return;
    this.#violation(
      `${path}/value`,
      'not_visible',
      message`the item ${item.key} is not visible: its condition ${shortened(item.visible_if ?? '')} does not hold`,
    );
  }

  /**
   * Yields each place that must have a value: every required, visible item, in each section instance and form instance
   * that counts. The form instances are those that the write names, and the first instance of each form that an
   * application must fill in. The section instances of a repeatable section are the first one, and all instances with a
   * value.
   */
  *#required(): Generator<{ readonly item: DefinedItem; readonly place: ValuePlace }> {
    const sectionInstances = this.#sectionInstances();
    for (const [form, instances] of this.#touched()) {
      const items = form.items.filter((item) => item.required && this.#isVisible(item) === true);
      for (const form_instance of instances) {
        for (const item of items) {
          const sections = sectionInstances.get(`${item.section_id}:${form_instance}`) ?? FIRST_ALONE;
          for (const section_instance of sections)
            yield { item, place: { item_id: item.id, section_instance, form_instance } };
        }
      }
    }
  }

  #checkRequired({ item, place }: { readonly item: DefinedItem; readonly place: ValuePlace }): void {
    const key = placeKey(place);
    const value = this.#after.get(key);
    if (value === INVALID || (value ? !isEmpty(plainValue(value)) : this.#isOpen(key))) return;
    const { section_instance: section, form_instance: form } = place;
    const path = this.#placed.get(key)?.path;
    const { key: name, id } = item;
    const info =
      section > 1 || form > 1
        ? message`the item ${name} (${id}) needs a value (section instance ${section}, form instance ${form})`
        : message`the item ${name} (${id}) needs a value`;
    this.violations.push({
      path: path ? `${path}/value` : this.owner.pointer,
      code: 'missing',
      info,
      item_key: name,
      ...place,
    });
  }

  /** Maps `<section id>:<form instance>` to the section instances that have values. */
  #sectionInstances(): ReadonlyMap<string, ReadonlySet<number>> {
    const instances = new Map<string, Set<number>>();
    for (const [key, value] of this.#after) {
      const place = value === INVALID ? this.#placed.get(key)?.place : value;
      const item = place && this.of.formOf.get(place.item_id)?.itemOf.get(place.item_id);
      // A section that is not repeatable has only its first instance, even if the body or a stored value names another
      // instance.
      if (!place || !item?.isRepeatable) continue;
      const of = `${item.section_id}:${place.form_instance}`;
      const known = instances.get(of) ?? new Set(FIRST_ALONE);
      instances.set(of, known.add(place.section_instance));
    }
    return instances;
  }

  /** Maps each form whose required items must be checked to the form instances to check. */
  #touched(): ReadonlyMap<FormDefinition, ReadonlySet<number>> {
    const touched = new Map<FormDefinition, ReadonlySet<number>>();
    for (const { place } of this.#placed.values()) {
      const form = this.of.formOf.get(place.item_id);
      if (form && this.#applies(form) && !this.#isHidden(form))
        touched.set(form, new Set(touched.get(form)).add(place.form_instance));
    }
    if (!this.of.isApplying) return touched;
    for (const form of new Set(this.of.formOf.values()))
      if (form.onApply === 'required' && this.#applies(form)) touched.set(form, touched.get(form) ?? FIRST_ALONE);
    return touched;
  }

  #isVisible(item: DefinedItem): boolean | undefined {
    if (item.visible_if === null) return true;
    if (!this.#visible.has(item)) this.#visible.set(item, this.#evaluateVisible(item));
    return this.#visible.get(item);
  }

  #evaluateVisible(item: DefinedItem): boolean | undefined {
    const {
      context: { now, timeZone, visibility },
      objectValueOf,
    } = this.of;
    return visibility
      .get(item.formId)
      ?.isVisible(item.id, { now, timeZone, objectValueOf, valueAt: (key) => this.#valueAt(key) });
  }

  #valueAt(key: string): PlainValue {
    const value = this.#after.get(key);
    if (value === INVALID || (!value && this.#isOpen(key)))
      throw new Error('a condition reads a form value that is invalid or could not be read');
    return value ? plainValue(value) : null;
  }

  /**
   * True when it is unknown whether a form value with this `placeKey` exists. The values of the body that could be read
   * do not include it. In addition, either other values of the body could not be read, or the stored values are
   * unknown.
   */
  #isOpen(key: string): boolean {
    return !this.#placed.has(key) && (this.owner.isPartial || this.of.before === undefined);
  }

  #violation(path: string, code: ViolationCode, info: Message): void {
    this.violations.push(withItem({ path, code, info }, this.items));
  }
}
