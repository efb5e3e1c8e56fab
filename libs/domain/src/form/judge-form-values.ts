import { type ValidationFault } from '../validation/validation-error.js';
import { type ConditionsContext } from './form-conditions.js';
import { type DefinedItem, type FormDefinition } from './form-definition.js';
import { isEmpty, isSameValue, placeKey, plainValue, type PlainValue, type ValuePlace, type ValueRow } from './form-value.js';
import { type GivenValue, type GivenValues } from './form-values-body.js';
import { readValue } from './read-value.js';

/** What is to be written to one object. */
export interface OwnerValues extends GivenValues {
  readonly id: number;
  /** To the list in the body: `/form_values`. */
  readonly pointer: string;
}

export interface ValuesContext {
  /** Name of the collection. */
  readonly resource: string;
  /** What the object is, or is for; undefined when that is not known. */
  readonly opportunityId: number | undefined;
  readonly forms: readonly FormDefinition[];
  /** Undefined when it is not known what there is. */
  readonly before: readonly ValueRow[] | undefined;
  readonly context: ConditionsContext;
  /** What the object says at a datapath; throws where that cannot be known. */
  readonly factOf: (datapath: string) => unknown;
}

/** One value that is another one afterwards; absent where there is none. */
export interface ValueChange {
  readonly key: string;
  readonly old?: ValueRow;
  readonly current?: ValueRow;
}

/** A value of the body that belongs somewhere. */
interface Placed {
  readonly place: ValuePlace;
  readonly item: DefinedItem;
  readonly path: string;
}

const FIRST_ALONE: ReadonlySet<number> = new Set([1]);
const FAULTY: unique symbol = Symbol('faulty');

/**
 * What a write does to one object, and what is wrong with it. What depends on something that cannot be known, for the request
 * is wrong there, is not judged.
 */
export class JudgedValues {
  readonly faults: ValidationFault[] = [];
  readonly #before: ReadonlyMap<string, ValueRow>;
  readonly #after: Map<string, ValueRow | typeof FAULTY>;
  readonly #placed = new Map<string, Placed>();

  constructor(readonly owner: OwnerValues, private readonly of: ValuesContext) {
    this.#before = new Map((of.before ?? []).map((row) => [placeKey(row), row]));
    this.#after = new Map(this.#before);
    for (const given of owner.given) this.#take(given);
    for (const placed of this.#placed.values()) this.#checkVisible(placed);
    for (const [form, instances] of this.#touched()) for (const instance of instances) this.#checkRequired(form, instance);
  }

  get changes(): readonly ValueChange[] {
    return [...this.#placed.keys()].flatMap((key): ValueChange[] => {
      const old = this.#before.get(key);
      const current = this.#after.get(key);
      if (current === FAULTY || (old && current && isSameValue(old, current)) || (!old && !current)) return [];
      return [{ key, ...(old && { old }), ...(current && { current }) }];
    });
  }

  #take(given: GivenValue): void {
    const { path } = given;
    const item = this.#find(given.item_id);
    if (!item) return this.#fault(`${path}/item_id`, 'invalid', 'there is no such item in the forms of this object');
    const place = { item_id: item.id, section_instance: given.section_instance ?? 1, form_instance: given.form_instance ?? 1 };
    const key = placeKey(place);
    if (given.value === undefined) return this.#leaveOpen(key, { place, item, path });
    if (place.section_instance > 1 && !item.isRepeatable) this.#fault(`${path}/section_instance`, 'invalid', 'the section is not repeatable: expected 1');
    if (this.#placed.has(key)) return this.#fault(path, 'invalid', 'the value stands here for the second time');
    this.#placed.set(key, { place, item, path });
    this.#after.delete(key);
    if (given.value === null) return;
    const read = readValue(item, given.value, this.#before.get(key));
    this.#after.set(key, read.fault === undefined ? { owner_id: this.owner.id, ...place, ...read.columns } : FAULTY);
    if (read.fault !== undefined) this.#fault(`${path}/value`, 'invalid', read.fault);
  }

  /** The value was left out, which is told elsewhere. */
  #leaveOpen(key: string, placed: Placed): void {
    if (this.#placed.has(key)) return;
    this.#placed.set(key, placed);
    this.#after.set(key, FAULTY);
  }

  #find(itemId: number): DefinedItem | undefined {
    const { forms, resource, opportunityId } = this.of;
    const form = forms.find(({ itemOf }) => itemOf.has(itemId));
    if (!form || form.resource !== resource) return undefined;
    const isMeant = form.opportunityIds.length === 0 || opportunityId === undefined || form.opportunityIds.includes(opportunityId);
    return isMeant ? form.itemOf.get(itemId) : undefined;
  }

  #checkVisible({ place, item, path }: Placed): void {
    const value = this.#after.get(placeKey(place));
    if (value === undefined || value === FAULTY || this.#isVisible(item) !== false) return;
    this.#fault(`${path}/value`, 'not_visible', `the item ${item.key} is not visible: ${item.visible_if ?? ''}`);
  }

  /** Of a form with an instance that the write touches. A repeated section has the instances that hold a value, and the first. */
  #checkRequired(form: FormDefinition, formInstance: number): void {
    const instances = this.#sectionInstances(form, formInstance);
    for (const item of form.items) {
      if (!item.required || this.#isVisible(item) !== true) continue;
      for (const section_instance of instances.get(item.section_id) ?? FIRST_ALONE) {
        const key = placeKey({ item_id: item.id, section_instance, form_instance: formInstance });
        const value = this.#after.get(key);
        if (value === FAULTY || (value ? !isEmpty(plainValue(value)) : this.#isOpen(key))) continue;
        const path = this.#placed.get(key)?.path;
        const where = section_instance > 1 || formInstance > 1 ? ` (section instance ${section_instance}, form instance ${formInstance})` : '';
        this.#fault(path ? `${path}/value` : this.owner.pointer, 'missing', `the item ${item.key} (${item.id})${where} needs a value`);
      }
    }
  }

  /** Of each section that has values, by its id. */
  #sectionInstances({ itemOf }: FormDefinition, formInstance: number): ReadonlyMap<number, ReadonlySet<number>> {
    const instances = new Map<number, Set<number>>();
    for (const [key, value] of this.#after) {
      const place = value === FAULTY ? this.#placed.get(key)?.place : value;
      const section = place && itemOf.get(place.item_id)?.section_id;
      if (!place || section === undefined || place.form_instance !== formInstance) continue;
      instances.set(section, (instances.get(section) ?? new Set(FIRST_ALONE)).add(place.section_instance));
    }
    return instances;
  }

  #touched(): ReadonlyMap<FormDefinition, ReadonlySet<number>> {
    const touched = new Map<FormDefinition, Set<number>>();
    for (const { place, item } of this.#placed.values()) {
      const form = this.of.forms.find(({ id }) => id === item.formId);
      if (form) touched.set(form, (touched.get(form) ?? new Set<number>()).add(place.form_instance));
    }
    return touched;
  }

  #isVisible(item: DefinedItem): boolean | undefined {
    const { context: { now, timeZone, visibility }, factOf } = this.of;
    return visibility.get(item.formId)?.isVisible(item.id, { now, timeZone, factOf, valueAt: (key) => this.#valueAt(key) });
  }

  #valueAt(key: string): PlainValue {
    const value = this.#after.get(key);
    if (value === FAULTY || (!value && this.#isOpen(key))) throw new Error('what the value will be cannot be known');
    return value ? plainValue(value) : null;
  }

  /** There is no value that is known, and yet there may be one. */
  #isOpen(key: string): boolean {
    return !this.#placed.has(key) && (this.owner.isPartial || this.of.before === undefined);
  }

  #fault(path: string, code: string, info: string): void {
    this.faults.push({ path, code, info });
  }
}
