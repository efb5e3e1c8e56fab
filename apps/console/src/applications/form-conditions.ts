import {
  type AttributeShape,
  compile,
  type CompiledExpression,
  DatapathError,
  type LanguageModel,
} from '@ats/datapath';
import { type Form, type Item } from './answers.js';

/** The values that the conditions of a form read. */
export interface ConditionValues {
  /** The representation of the object that has the answers. */
  readonly object: object;
  /** Returns the answer that is now in the field of the question `id`. */
  readonly answerOf: (id: number) => unknown;
}

const TYPES: Readonly<Record<string, AttributeShape>> = {
  integer: { type: 'integer' },
  decimal: { type: 'decimal' },
  boolean: { type: 'boolean' },
  date: { type: 'date' },
  datetime: { type: 'datetime' },
  multi_select: { type: 'text', many: true },
};

/**
 * The compiled conditions of forms. The page evaluates them while a user types, and the service evaluates them again
 * when the answers are saved.
 * Source: docs/reference/forms.md, "Visibility".
 */
export class FormConditions {
  readonly #conditions = new Map<number, CompiledExpression>();
  readonly #ids = new Map<number, ReadonlyMap<string, number>>();

  constructor(
    private readonly root: string,
    forms: readonly Form[],
    model: LanguageModel,
  ) {
    for (const { sections } of forms) {
      const items = sections.flatMap((section) => section.items);
      const own = withKeys(model, root, items);
      const ids = new Map(items.flatMap(({ id, key }) => [[key, id] as const, [String(id), id] as const]));
      for (const { id, visible_if } of items) {
        const condition = visible_if === null ? undefined : compiled(visible_if, own, root);
        if (condition) this.#conditions.set(id, condition);
        this.#ids.set(id, ids);
      }
    }
  }

  /**
   * False when the condition of a question does not hold. Undefined when it needs a value that the page does not have.
   */
  isVisible({ id }: Pick<Item, 'id'>, { object, answerOf }: ConditionValues): boolean | undefined {
    const condition = this.#conditions.get(id);
    if (!condition) return true;
    const prefix = `${this.root}.formdata.`;
    const valueOf = (datapath: string): unknown => {
      if (!datapath.startsWith(prefix)) return read(object, datapath.split('.').slice(1));
      const [name = '', section = '1', form = '1'] = datapath.slice(prefix.length).split(':');
      const item = this.#ids.get(id)?.get(name);
      if (item === undefined || section !== '1' || form !== '1') throw new Error(`unknown value: ${datapath}`);
      return answerOf(item);
    };
    return condition.evaluate({ valueOf, now: new Date(), timeZone: timeZone() });
  }
}

/** The time zone of the browser. UTC when the browser does not know it, such as `Etc/Unknown`. */
function timeZone(): string {
  const found = Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return Intl.DateTimeFormat('en', { timeZone: found }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** True when at least one question of the forms has a condition. */
export const haveConditions = (forms: readonly Form[]): boolean =>
  forms.some(({ sections }) => sections.some(({ items }) => items.some(({ visible_if }) => visible_if !== null)));

/** Adds the questions of a form to the model, because conditions may name them by their keys. */
const withKeys = (model: LanguageModel, root: string, items: readonly Item[]): LanguageModel => ({
  ...model,
  keyedValue: (type, key) => {
    const item = type === root ? items.find((one) => one.key === key.parts[0]) : undefined;
    return item ? (TYPES[item.type] ?? { type: 'text' }) : model.keyedValue?.(type, key);
  },
});

/** Compiles a condition. Returns undefined when the condition names a deleted item; the question then stays visible. */
function compiled(text: string, model: LanguageModel, root: string): CompiledExpression | undefined {
  try {
    return compile(text, model, [root]);
  } catch (error) {
    if (error instanceof DatapathError) return undefined;
    throw error;
  }
}

/** Reads the value of a datapath. @throws {Error} when the representation does not show the value */
function read(object: object, names: readonly string[]): unknown {
  let value: unknown = object;
  for (const name of names) {
    if (value === null) return null;
    if (typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, name))
      throw new Error(`unknown value: ${names.join('.')}`);
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
