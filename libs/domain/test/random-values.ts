import { textToHtml } from '@ats/rich-text';
import { type Dice } from './dice.js';
import { type Pools, type Row } from './random-row.js';

/** Makes random values for rows, and numbers the rows of each table from 1. */
export class RandomValues {
  readonly #ids = new Map<string, number>();

  constructor(
    readonly dice: Dice,
    readonly pools: Pools,
  ) {}

  many(count: number, make: () => Row): readonly Row[] {
    return Array.from({ length: count }, make);
  }

  /** Returns the next id of a table. */
  id(table: string): number {
    const id = (this.#ids.get(table) ?? 0) + 1;
    this.#ids.set(table, id);
    return id;
  }

  /** Returns values for the columns that all tables of resources have. */
  common(table: string): Row & { readonly id: number } {
    const id = this.id(table);
    const uuid = `${id.toString(16).padStart(8, '0')}-0000-4000-8000-${this.dice
      .below(2 ** 32)
      .toString(16)
      .padStart(12, '0')}`;
    return { id, uuid, created_dt: this.moment(), updated_dt: this.moment() };
  }

  text = (): string => this.dice.one(this.pools.texts);
  address = (): string => this.dice.one(this.pools.addresses);
  date = (): string => this.dice.one(this.pools.dates);
  moment = (): string => this.dice.one(this.pools.moments);
  tags = (): string[] => this.dice.some(this.pools.texts, 3);
  /** Returns null with a probability of 30 %. */
  maybe = <T>(make: () => T): T | null => (this.dice.chance(0.3) ? null : make());

  /** Returns the two columns of a rich text `description`, which may be null. */
  description(): Row {
    const plain = this.maybe(this.text);
    return { description: plain === null ? null : `<p>${textToHtml(plain)}</p>`, description_plain: plain };
  }

  /** Returns the two columns of a rich text `body`, which is never null. */
  body(): Row {
    const plain = this.text();
    return { body: `<p>${textToHtml(plain)}</p>`, body_plain: plain };
  }
}
