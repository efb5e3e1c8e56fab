import { expect, it } from '@jest/globals';
import {
  checkModel,
  compile,
  type DatapathOf,
  type DatapathValue,
  defineModel,
  type ObjectOf,
  valuesOf,
} from '../index.js';

const model = defineModel(
  {
    order: {
      attributes: { total: { type: 'integer' }, tags: { type: 'text', many: true }, sent: { type: 'datetime' } },
      relations: { customer: { target: 'customer' }, lines: { target: 'line', many: true } },
    },
    customer: { attributes: { name: { type: 'text' } }, relations: { orders: { target: 'order', many: true } } },
    line: { attributes: { text: { type: 'text' } } },
  },
  { limits: { nodes: 5 } },
);

/** True when both types are the same. */
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
const same = <One, Other>(isSame: Same<One, Other>): boolean => isSame;

it('defineModel makes a model that has exactly the given types', () => {
  expect(() => checkModel(model, ['order'])).not.toThrow();
  expect(model.type('line')).toEqual({ name: 'line', attributes: { text: { type: 'text' } }, relations: {} });
  expect(model.type('constructor')).toBeUndefined();
  expect(() => compile('order.total == 1 AND order.total == 2', model, ['order'])).toThrow('at most 5 parts');
});

it('an expression reads an object whose TypeScript type follows from the model', () => {
  const order: ObjectOf<typeof model, 'order'> = { total: 7, tags: ['new'], customer: { name: 'Ada', orders: [] } };
  const context = { valueOf: valuesOf({ order }), now: new Date(), timeZone: 'UTC' };
  expect(compile('order.customer.name == "Ada"', model, ['order']).test(context)).toBe(true);
  // @ts-expect-error the attribute is a number
  const wrong: ObjectOf<typeof model, 'order'> = { total: '7' };
  // @ts-expect-error the type has no such name
  const unknown: ObjectOf<typeof model, 'order'> = { totl: 7 };
  expect([wrong, unknown]).toHaveLength(2);
});

it('TypeScript knows the datapaths of a model and the types of their values', () => {
  const known: DatapathOf<typeof model, 'order'>[] = ['order.total', 'order.lines.text', 'order.customer.orders.total'];
  // @ts-expect-error the customer has no such attribute
  const unknown: DatapathOf<typeof model, 'order'> = 'order.customer.nme';
  expect([...known, unknown]).toHaveLength(4);
  expect([
    same<DatapathValue<typeof model, 'order.total'>, number | null>(true),
    same<DatapathValue<typeof model, 'order.sent'>, string | Date | null>(true),
    same<DatapathValue<typeof model, 'order.tags'>, readonly string[]>(true),
    same<DatapathValue<typeof model, 'order.lines.text'>, readonly string[]>(true),
    same<DatapathValue<typeof model, 'order.customer.orders.customer.orders.total'>, readonly number[]>(true),
    same<DatapathValue<typeof model, 'order.customer.nme'>, never>(true),
  ]).not.toContain(false);
});

it('TypeScript rejects relations to missing types, and unknown types of attributes', () => {
  const wrong = [
    // @ts-expect-error there is no type "custmer"
    defineModel({ order: { attributes: {}, relations: { customer: { target: 'custmer' } } } }),
    // @ts-expect-error there is no type "number"
    defineModel({ order: { attributes: { total: { type: 'number' } } } }),
  ];
  expect(wrong).toHaveLength(2);
});
