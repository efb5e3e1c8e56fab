import { describe, expect, it } from '@jest/globals';
import { customers, orders } from '../../../test/orders.js';
import { readCollectionQuery } from '../reading/collection-query.js';
import { compileConditionClosure, compileSortComparator, type MemoryObject } from './compile-closure.js';
import { type SearchSubject } from '../model/search-model.js';

const matches = (object: MemoryObject, search: string, subject: SearchSubject = orders): boolean => {
  const query = readCollectionQuery(subject, { search: [search], sort: [] });
  if (query.violations) throw new Error(String(query.violations[0].message));
  return compileConditionClosure(query.condition, subject)(object);
};

const order: MemoryObject = {
  id: 7,
  note: 'Straße Nr. 5 %_\\',
  contact: 'Mixed.Case@Kelvin.org',
  total: 12.5,
  is_paid: true,
  due: '2026-11-21',
  created_dt: '2026-11-21T23:59:59.999Z',
  tags: ['red', 'Blue'],
  customer: { id: 3, name: 'ΟΔΟΣ' },
  coupon: null,
  delivery: { sent_dt: null },
  'formdata.5:1:1': { value: 'Yes' },
  'formdata.6:2:1': { value: ['red', 'blue'] },
  lines: [
    { id: 1, text: 'pen', product: null },
    { id: 2, text: null, product: { id: 9, name: 'Pad' } },
  ],
};

describe('compileConditionClosure', () => {
  it.each<[string, boolean]>([
    ['id=7', true],
    ['id={1,7}', true],
    ['id=8', false],
    ['id!=8', true],
    ['id=~7', true],
    ['note=Straße Nr. 5 %_\\', true],
    ['note=straße nr. 5 %_\\', false],
    ['contact=mixed.case@kelvin.ORG', true],
    ['contact!=MIXED.CASE@KELVIN.ORG', false],
    ['contact={a@example.org,mixed.CASE@kelvin.org}', true],
    ['contact!={a@example.org,}', true],
    // The Kelvin sign is not an ASCII letter, so it is not equal to the letter k.
    ['contact=mixed.case@\u212aelvin.org', false],
    ['contact=mixed.case@kelvin.or', false],
    ['contact=', false],
    ['note=~STRAßE', true],
    ['note=~STRASSE', false],
    ['note=~%_\\', true],
    ['note=~5_%', false],
    ['note!~x', true],
    ['total=12.50', true],
    ['total=~12.5', true],
    ['total=~12.50', false],
    ['total>12', true],
    ['total<=12.5', true],
    ['total<12.5', false],
    ['is_paid=true', true],
    ['is_paid!=true', false],
    ['is_paid=', false],
    ['due=~-11-', true],
    ['due<2026-11-21', false],
    ['due<=2026-11-21', true],
    // A date stands for the whole UTC day.
    ['created_dt=2026-11-21', true],
    ['created_dt=2026-11-22', false],
    ['created_dt<2026-11-22', true],
    ['created_dt<=2026-11-21', true],
    ['created_dt>2026-11-21', false],
    ['created_dt>=2026-11-21', true],
    ['created_dt<2026-11-21', false],
    ['created_dt=2026-11-22T00:59:59.999+01:00', true],
    ['created_dt=~21T23', true],
    // Form values: an instance number that is left out means the first instance.
    ['formdata.5=Yes', true],
    ['formdata.5:1:1=~YE', true],
    ['formdata.5:2=Yes', false],
    ['formdata.5:2!=Yes', true],
    ['formdata.5:2=', true],
    ['formdata.5=', false],
    ['formdata.6:2=red', true],
    ['formdata.6:2!=red', false],
    ['formdata.6=', true],
    ['formdata.6:2=', false],
    // `=~` ignores case and treats the final sigma (ς) like the other sigmas (σ, Σ). `=` compares exactly.
    ['customer.name=~οδος', true],
    ['customer.name=~ΔΟΣ', true],
    ['customer.name=~δοσ', true],
    ['customer.name=οδος', false],
    // A missing value matches only the empty value and negative operators.
    ['coupon.code=', true],
    ['coupon=', true],
    ['coupon!=', false],
    ['coupon.code!=x', true],
    ['coupon.code!~x', true],
    ['coupon.code=~x', false],
    ['coupon.code<x', false],
    ['coupon.code>=x', false],
    ['coupon=1', false],
    ['coupon={1,}', true],
    ['delivery.sent_dt=', true],
    ['delivery.sent_dt<2030-01-01', false],
    ['delivery.sent_dt!=2026-01-01', true],
    // To-many relations: a positive operator is true when at least one element has the value. A negative operator is
    // true when no element has the value.
    ['tags=red', true],
    ['tags!=red', false],
    ['tags!=green', true],
    ['tags=~BLU', true],
    ['tags!~blu', false],
    ['tags=', false],
    ['tags={x,red}', true],
    ['lines.text=pen', true],
    ['lines.text!=pen', false],
    ['lines.text=', true],
    ['lines.text!=', false],
    ['lines=2', true],
    ['lines=', false],
    ['lines.product.name=Pad', true],
    ['lines.product.name=', true],
    ['lines.product.name!=x', true],
  ])('evaluates %s as %s', (search, expected) => {
    expect(matches(order, search)).toBe(expected);
  });

  it.each<[string, boolean]>([
    ['tags=', true],
    ['tags!=', false],
    ['tags=red', false],
    ['tags!=red', true],
    ['tags=~r', false],
    ['lines.text=', true],
    ['lines.text!=x', true],
    ['lines.text<x', false],
    ['lines=', true],
    ['lines.product.name=', true],
    ['customer=', true],
    ['customer.name=', true],
    ['customer.id<5', false],
  ])('evaluates %s as %s for an object without values', (search, expected) => {
    expect(matches({ id: 1 }, search)).toBe(expected);
    expect(matches({ id: 1, tags: [], lines: [], customer: null }, search)).toBe(expected);
  });

  const customer: MemoryObject = {
    id: 1,
    name: '',
    Phone: [
      { Label: 'home', Number: '1' },
      { Label: 'home', Number: '2' },
    ],
  };
  it.each<[string, boolean]>([
    ['/Phone/[home]/Number=2', true],
    ['/Phone/[work]/Number=2', false],
    ['/Phone/[work]/Number=', true],
    ['/Phone/[home]/Number=', false],
    ['/Phone/[work]/Number!=2', true],
    ['/Phone/*/Number=1', true],
    ['/Phone=', false],
    ['/Phone!=', true],
    ['/name=', true],
    ['/name!=', false],
  ])('evaluates %s as %s by the labels of list elements', (search, expected) => {
    expect(matches(customer, search, customers)).toBe(expected);
  });

  it('reads attributes only by their names in the model, through readAttribute', () => {
    const query = readCollectionQuery(orders, { search: ['note=NOTE'], sort: [] });
    if (query.violations) throw new Error('no violation was expected');
    const test = compileConditionClosure(query.condition, {
      model: orders.model,
      readAttribute: (owner, name) => `${owner}.${name}`.slice(6).toUpperCase(),
    });
    expect(test({})).toBe(true);
  });

  it('finds the text of a filter in any filterable field', () => {
    const find = (filter: string): boolean => {
      const query = readCollectionQuery(orders, { search: [], filter, sort: [] });
      if (query.violations) throw new Error('no violation was expected');
      return compileConditionClosure(query.condition, orders)(order);
    };
    expect(['straße', '2026-11', 'BLUE', 'οδος', 'PEN'].map(find)).toEqual([true, true, true, true, true]);
    expect(['12.5', 'Pad', '23:59'].map(find)).toEqual([false, false, false]);
  });
});

describe('compileSortComparator', () => {
  const sorted = (sort: readonly string[], objects: readonly MemoryObject[]): readonly unknown[] => {
    const query = readCollectionQuery(orders, { search: [], sort });
    if (query.violations) throw new Error('no violation was expected');
    return [...objects].sort(compileSortComparator(query.sort, orders)).map(({ id }) => id);
  };
  const note = (id: number, text: string | null): MemoryObject => ({ id, note: text });

  it('puts null last in both directions, then compares ids', () => {
    const objects = [note(1, null), note(2, 'b'), note(3, 'a'), note(4, 'b')];
    expect(sorted(['note!asc'], objects)).toEqual([3, 2, 4, 1]);
    expect(sorted(['note!desc'], objects)).toEqual([2, 4, 3, 1]);
    expect(sorted([], objects)).toEqual([1, 2, 3, 4]);
    expect(sorted(['note!asc', 'id!desc'], objects)).toEqual([3, 4, 2, 1]);
  });

  it('orders texts by letters, then accents, then case', () => {
    const texts = ['Zoe', 'zebra', 'Zoë', 'zoe', 'Ärger', 'arm', 'apple', 'Apple'];
    expect(
      sorted(
        ['note!asc'],
        texts.map((text, index) => note(index, text)),
      ).map((index) => texts[Number(index)]),
    ).toEqual(['apple', 'Apple', 'Ärger', 'arm', 'zebra', 'zoe', 'Zoe', 'Zoë']);
  });

  it('follows to-one relations', () => {
    const of = (id: number, name: string | null): MemoryObject => ({ id, customer: name === null ? null : { name } });
    expect(sorted(['customer.name!desc'], [of(1, 'a'), of(2, null), of(3, 'b')])).toEqual([3, 1, 2]);
  });
});
