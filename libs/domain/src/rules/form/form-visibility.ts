import { compileExpression, DatapathError, parseDatapath, type CompiledExpression } from '@ats/datapath';
import { LRUCache } from 'lru-cache';
import { type DomainModel } from '../../objects/object-model.js';
import { type FormDefinition } from './form-definition.js';
import { checkCondition } from './form-violations.js';
import { modelWithKeys } from '../../facts/form-items.js';
import { placeKey, type PlainValue } from '../../reading/form-value.js';
import { DATAPATH_SYNTAX, FORM_DATA, formDataOf } from '../../vocabulary/form-data.js';
import { FORM_ROOTS, type FormResource } from '../../objects/form.model.js';

/** The clock, the time zone and the values that conditions need for their evaluation. */
export interface VisibilityContext {
  readonly now: Date;
  readonly timeZone: string;
  /**
   * Returns the value at a canonical datapath that does not lead to the object's own form values. Throws when the value
   * is unknown.
   */
  readonly objectValueOf: (datapath: string) => unknown;
  /** Returns the object's own form value that has this `placeKey`. Throws when the value is unknown. */
  readonly valueAt: (key: string) => PlainValue;
}

/** The compiled conditions of a form's items. They can be evaluated for any number of objects. */
export class FormVisibility {
  readonly #conditions = new Map<number, CompiledExpression>();
  readonly #ids: ReadonlyMap<string, number>;
  readonly #prefix: string;
  /** Caches the `placeKey` of each datapath that a condition has read. */
  readonly #keys = new Map<string, string>();

  /** @param model  the object model with the form items that the conditions name, including items of other forms */
  constructor({ resource, items }: FormDefinition, model: DomainModel) {
    const root = FORM_ROOTS[resource];
    this.#ids = new Map(
      items.flatMap(({ id, key }) => [
        [key, id],
        [String(id), id],
      ]),
    );
    this.#prefix = `${root}.formdata.`;
    const own = modelWithKeys(model, root, new Map(items.map(({ key, type }) => [key, type])));
    for (const { id, visible_if } of items) {
      const condition = visible_if === null ? undefined : compiledCondition(visible_if, resource, own);
      if (condition) this.#conditions.set(id, condition);
    }
  }

  /** The datapaths that the conditions read. Datapaths to the object's own form values are left out. */
  get datapaths(): readonly string[] {
    const all = new Set([...this.#conditions.values()].flatMap(({ datapaths }) => datapaths));
    return [...all].filter((datapath) => !datapath.startsWith(this.#prefix));
  }

  /** Returns true when the item is visible, and undefined when its visibility depends on an unknown value. */
  isVisible(itemId: number, { now, timeZone, objectValueOf, valueAt }: VisibilityContext): boolean | undefined {
    const condition = this.#conditions.get(itemId);
    if (!condition) return true;
    return condition.evaluate({
      now,
      timeZone,
      valueOf: (datapath) =>
        datapath.startsWith(this.#prefix) ? valueAt(this.#keyOf(datapath)) : objectValueOf(datapath),
    });
  }

  /**
   * Returns the `placeKey` for a datapath. The datapath names an item by its id, or by its key if the item is in this
   * form.
   */
  #keyOf(datapath: string): string {
    const known = this.#keys.get(datapath);
    if (known !== undefined) return known;
    const { item = '', section = 1, form = 1 } = formDataOf(parseDatapath(datapath, DATAPATH_SYNTAX)) ?? {};
    const key = placeKey({
      item_id: this.#ids.get(item) ?? Number(item),
      section_instance: section,
      form_instance: form,
    });
    this.#keys.set(datapath, key);
    return key;
  }
}

/** Maximum number of characters of all conditions that stay compiled. */
const MAX_CACHED_CHARACTERS = 16_000_000;
const compiled = new LRUCache<string, { readonly condition: CompiledExpression | undefined }>({
  maxSize: MAX_CACHED_CHARACTERS,
  sizeCalculation: (_value, key) => key.length,
});

const FORM_ITEM = /\bformdata\.(\w+)/g;
const OWNERS = ['application', 'vacancy', 'event', 'opportunity'] as const;
/**
 * Numbers the attributes that form values can have, for cache keys. Each combination of an item type and a kind of
 * owner has an attribute of its own.
 */
const numbers = new WeakMap<object, number>();
let lastNumber = 0;

function numberOf(attribute: object | undefined): number {
  if (!attribute) return 0;
  const number = numbers.get(attribute) ?? ++lastNumber;
  numbers.set(attribute, number);
  return number;
}

/**
 * Compiles a condition, or takes it from the cache, because compiling takes much longer than the rest of a write. The
 * cache key includes the types of all form items that the condition names, because an item can get another type while
 * the text of the condition stays the same.
 * @returns undefined when the condition names something that was deleted; the item with the condition is then visible
 */
export function compiledCondition(
  text: string,
  resource: FormResource,
  model: DomainModel,
): CompiledExpression | undefined {
  const names = new Set([...text.matchAll(FORM_ITEM)].map(([, name = '']) => name));
  const types = [...names].flatMap((name) =>
    OWNERS.map((owner) => numberOf(model.keyedValue?.(owner, { collection: FORM_DATA, parts: [name] }))),
  );
  const key = `${resource} ${types.join(',')} ${text}`;
  const known = compiled.get(key);
  if (known) return known.condition;
  const condition = compile(() => compileExpression(checkCondition(text, resource, model)));
  compiled.set(key, { condition });
  return condition;
}

function compile(run: () => CompiledExpression): CompiledExpression | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof DatapathError) return undefined;
    throw error;
  }
}
