import { type FormOwner, valueColumn } from '../src/objects/form-value.model.js';
import { type KnownItem } from '../src/facts/form-items.js';
import { FORM_RESOURCES, FORM_ROOTS, type FormResource, ITEM_TYPES, type ItemType } from '../src/objects/form.model.js';
import { LANGUAGES } from '../src/vocabulary/languages.js';
import { type Dice } from './dice.js';
import { type Pools, type Row, type Rows } from './random-row.js';

export interface FormOwners {
  readonly opportunities: readonly Row[];
  readonly applications: readonly Row[];
}

/** Makes forms with items of every type, and values for some of their owners. */
export class RandomForms {
  readonly #ids = new Map<string, number>();
  readonly #columnsOf: Readonly<Record<ItemType, () => Row>>;

  constructor(
    private readonly dice: Dice,
    private readonly pools: Pools,
    private readonly common: (table: string) => Row,
  ) {
    const { decimals, dates, moments, texts, addresses } = pools;
    const inColumn = (type: ItemType, make: () => unknown) => (): Row => ({ [valueColumn(type)]: make() });
    const text = (): string => dice.one(texts);
    const whole = (): number => dice.below(40) - 20;
    const makers: Readonly<Record<ItemType, () => unknown>> = {
      text,
      textarea: text,
      rich_text: text,
      email: () => dice.one(addresses),
      phone: text,
      single_select: text,
      integer: whole,
      decimal: () => dice.one(decimals),
      boolean: () => dice.chance(0.5),
      date: () => dice.one(dates),
      datetime: () => dice.one(moments),
      multi_select: () => [...new Set(dice.some(texts, 3))],
    };
    this.#columnsOf = Object.fromEntries(ITEM_TYPES.map((type) => [type, inColumn(type, makers[type])])) as Record<
      ItemType,
      () => Row
    >;
  }

  /** Rows by table, in an order that satisfies their foreign keys. */
  make(owners: FormOwners): Rows {
    const forms = FORM_RESOURCES.map(
      (resource): Row => ({
        ...this.common('forms'),
        name: this.#text(),
        resource,
        opportunity_ids: this.dice.some([1, 2, 3], 2),
      }),
    );
    const form_sections = forms.flatMap(({ id: form_id }) =>
      this.#several(3, (position) =>
        this.#part('form_sections', { form_id, position, name: this.#label(), repeatable: this.dice.chance(0.5) }),
      ),
    );
    const form_items = form_sections.flatMap(({ id: section_id }) =>
      this.#several(5, (position) => this.#item({ section_id, position })),
    );
    const form_options = form_items.flatMap(({ id: item_id }) =>
      this.#several(this.dice.below(3), (position) =>
        this.#part('form_options', { item_id, position, value: this.#text(), label: this.#label() }),
      ),
    );
    const items = knownItems({ forms, form_sections, form_items });
    const valuesOf = (table: string): Row[] => this.#values(table, items, owners);
    return {
      forms,
      form_sections,
      form_items,
      form_options,
      application_form_values: valuesOf('application'),
      opportunity_form_values: valuesOf('opportunity'),
    };
  }

  #values(kind: string, items: readonly KnownItem[], { applications, opportunities }: FormOwners): Row[] {
    return items.flatMap(({ id: item_id, type, resource }) => {
      const root: FormOwner = FORM_ROOTS[resource];
      if ((root === 'application') !== (kind === 'application')) return [];
      const owners =
        root === 'application' ? applications : opportunities.filter((opportunity) => opportunity['kind'] === root);
      return owners
        .filter(() => this.dice.chance(0.6))
        .flatMap(({ id: owner_id }) =>
          this.#several(2, (index) => ({
            owner_id,
            item_id,
            section_instance: index + 1,
            form_instance: 1,
            ...this.#columnsOf[type](),
          })),
        );
    });
  }

  #item(place: Row): Row {
    const maybe = (make: () => unknown): unknown => (this.dice.chance(0.5) ? null : make());
    return this.#part('form_items', {
      ...place,
      key: this.#text(),
      label: this.#label(),
      type: this.dice.one(ITEM_TYPES),
      required: this.dice.chance(0.5),
      visible_if: maybe(this.#text),
      min: maybe(() => this.dice.one(this.pools.decimals)),
      max: maybe(() => this.dice.one(this.pools.decimals)),
      max_length: maybe(() => this.dice.below(9)),
      pattern: maybe(this.#text),
    });
  }

  #text = (): string => this.dice.one(this.pools.texts);
  #label = (): Row =>
    Object.fromEntries(
      this.dice
        .some(LANGUAGES, 3)
        .concat(this.dice.one(LANGUAGES))
        .map((language) => [language, this.#text()]),
    );
  #several = <T>(most: number, make: (index: number) => T): T[] =>
    Array.from({ length: 1 + this.dice.below(Math.max(most, 1)) }, (_, index) => make(index));

  #part(table: string, columns: Row): Row {
    const id = (this.#ids.get(table) ?? 0) + 1;
    this.#ids.set(table, id);
    return { id, ...columns };
  }
}

/** Returns the form items of the rows. */
export function knownItems({ forms = [], form_sections = [], form_items = [] }: Rows): readonly KnownItem[] {
  const find = (rows: readonly Row[], id: unknown): Row => rows.find((row) => row['id'] === id) ?? {};
  return form_items.map(({ id, type, section_id }) => ({
    id: Number(id),
    type: type as ItemType,
    resource: find(forms, find(form_sections, section_id)['form_id'])['resource'] as FormResource,
  }));
}
