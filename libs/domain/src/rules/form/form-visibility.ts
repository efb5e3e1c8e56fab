import { compileExpression, DatapathError, parseDatapath, type CompiledExpression } from '@ats/datapath';
import { type DomainModel } from '../../objects/object-model.js';
import { type FormDefinition } from './form-definition.js';
import { checkCondition } from './form-faults.js';
import { modelWithKeys } from '../../facts/form-items.js';
import { placeKey, type PlainValue } from '../../reading/form-value.js';
import { FORM_ROOTS } from '../../objects/form.model.js';

/** What conditions are judged on. */
export interface VisibilityContext {
  readonly now: Date;
  readonly timeZone: string;
  /** What does not stand in the object's own form values, by canonical datapath; throws where that cannot be known. */
  readonly factOf: (datapath: string) => unknown;
  /** The object's value at a place; throws where it cannot be known. */
  readonly valueAt: (key: string) => PlainValue;
}

/** The conditions of a form, ready to be judged for any number of objects. */
export class FormVisibility {
  readonly #conditions = new Map<number, CompiledExpression>();
  readonly #ids: ReadonlyMap<string, number>;
  readonly #prefix: string;
  /** By datapath, each read once. */
  readonly #keys = new Map<string, string>();

  /** @param model  knows the items of other forms that conditions name */
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
      const condition =
        visible_if === null ? undefined : compiled(() => compileExpression(checkCondition(visible_if, resource, own)));
      if (condition) this.#conditions.set(id, condition);
    }
  }

  /** The datapaths to read beside the object's own form values. */
  get datapaths(): readonly string[] {
    const all = new Set([...this.#conditions.values()].flatMap(({ datapaths }) => datapaths));
    return [...all].filter((datapath) => !datapath.startsWith(this.#prefix));
  }

  /** Undefined when it depends on what cannot be known. */
  isVisible(itemId: number, { now, timeZone, factOf, valueAt }: VisibilityContext): boolean | undefined {
    const condition = this.#conditions.get(itemId);
    if (!condition) return true;
    return condition.evaluate({
      now,
      timeZone,
      valueOf: (datapath) => (datapath.startsWith(this.#prefix) ? valueAt(this.#keyOf(datapath)) : factOf(datapath)),
    });
  }

  /** Items are called by their ids or, those of this form, by their keys. */
  #keyOf(datapath: string): string {
    const known = this.#keys.get(datapath);
    if (known !== undefined) return known;
    const { item = '', section = 1, form = 1 } = parseDatapath(datapath).formData ?? {};
    const key = placeKey({
      item_id: this.#ids.get(item) ?? Number(item),
      section_instance: section,
      form_instance: form,
    });
    this.#keys.set(datapath, key);
    return key;
  }
}

/** A condition that names what has been deleted since hides nothing. */
function compiled(compile: () => CompiledExpression): CompiledExpression | undefined {
  try {
    return compile();
  } catch (error) {
    if (error instanceof DatapathError) return undefined;
    throw error;
  }
}
