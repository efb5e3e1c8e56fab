import { describe, expect, it } from '@jest/globals';
import { customers, orders } from '../../../test/orders.js';
import { formatSearchViolation } from './violation.js';
import { SEARCH_LIMITS } from '../model/limits.js';
import { readSearchCondition } from './search-condition.js';
import { type SearchSubject } from '../model/search-model.js';

const read = (text: string, subject: SearchSubject = orders): readonly unknown[] => {
  const condition = readSearchCondition(subject, text);
  if ('violations' in condition)
    return condition.violations.map(({ code, offset, length }) => `${code} ${String(offset)}+${String(length)}`);
  const { path, operator, isNegated, operand, matchesEmpty } = condition;
  return [
    path.datapath,
    `${isNegated ? 'not ' : ''}${operator}`,
    [...operand.values, ...(matchesEmpty ? ['(empty)'] : [])],
  ];
};

describe('the key of a condition', () => {
  it.each([
    ['/id=1', 'id'],
    ['/customer/name=x', 'customer.name'],
    ['/customer=1', 'customer'],
    ['/delivery/carrier=1', 'delivery.carrier'],
    ['/lines/*/text=x', 'lines.text'],
    ['/tags=x', 'tags'],
    ['/tags/*=x', 'tags'],
    ['/a~1b/c~0d=x', 'label'],
    ['id=1', 'id'],
    ['order.id=1', 'id'],
    ['order.customer.name=x', 'customer.name'],
    ['customer=1', 'customer'],
    ['lines=1', 'lines'],
    ['lines.product.name=x', 'lines.product.name'],
    ['coupon.code=x', 'coupon.code'],
    ['order.formdata.5:1=x', 'formdata.5:1'],
  ])('is read from %s', (text, datapath) => {
    expect(read(text)[0]).toBe(datapath);
  });

  it.each([
    ['/nmae=1', 'unknown_key 1+4'],
    ['/customer/nam=1', 'unknown_key 10+3'],
    ['/id/x=1', 'unknown_key 4+1'],
    ['/tags/0=1', 'unknown_key 6+1'],
    ['/tags/*/x=1', 'unknown_key 8+1'],
    ['/=1', 'unknown_key 1+0'],
    ['/lines/0/text=x', 'invalid_key 7+1'],
    ['/lines/[home]/text=x', 'invalid_key 7+6'],
    ['/lines/text=x', 'invalid_key 7+4'],
    ['/a~b=x', 'invalid_key 2+2'],
    ['/constructor=x', 'unknown_key 1+11'],
    ['/customer/*=x', 'unknown_key 10+1'],
    ['/delivery=1', 'not_a_value 0+9'],
    ['order=1', 'not_a_value 0+5'],
    ['delivery=1', 'not_a_value 0+8'],
    ['nmae=1', 'unknown_key 0+4'],
    ['customer.nmae=1', 'unknown_key 9+4'],
    ['note.x=1', 'unknown_key 0+4'],
    ['constructor=1', 'unknown_key 0+11'],
    ['customer.__proto__=1', 'unknown_key 9+9'],
    ['a b=1', 'invalid_key 1+1'],
    ['customer.=1', 'invalid_key 9+1'],
    ['formdata.7=x', 'unknown_key 9+1'],
    ['customer.formdata.5=x', 'unknown_key 9+8'],
    ['formdata.5:0=x', 'invalid_key 11+1'],
  ])('is rejected when it is %s: %s', (text, violation) => {
    expect(read(text)).toEqual([violation]);
  });

  it('selects the element of a list by its label', () => {
    const condition = readSearchCondition(customers, '/Phone/[work]/Number=1');
    expect(condition).toMatchObject({
      path: { steps: [{ relation: 'Phone', label: { attribute: 'Label', text: 'work' } }] },
    });
    expect(readSearchCondition(customers, '/Phone/*/Number=1')).toMatchObject({
      path: { steps: [{ relation: 'Phone' }] },
    });
  });

  it.each([
    ['/Phone/[fax]/Number=1', 'unknown_label 7+5'],
    ['/Phone/[]/Number=1', 'unknown_label 7+2'],
    ['/Phone/*=1', 'not_a_value 0+8'],
    ['/Phone=1', 'not_a_value 7+1'],
    ['Phone={,1}', 'not_a_value 7+0'],
  ])('is rejected when it is %s: %s', (text, violation) => {
    expect(read(text, customers)).toEqual([violation]);
  });

  it('compares the presence of objects when it ends on objects without an id', () => {
    expect(read('/Phone=', customers)).toEqual(['Phone', '=', ['(empty)']]);
    expect(read('Phone!=', customers)).toEqual(['Phone', 'not =', ['(empty)']]);
  });
});

describe('the value of a condition', () => {
  const uuid = '0e6f9c1c-0000-4000-8000-000000000000';
  it.each<[string, readonly unknown[]]>([
    ['id=007', ['id', '=', ['7']]],
    ['id=-1', ['id', '=', ['-1']]],
    ['id={1,,2}', ['id', '=', ['1', '2', '(empty)']]],
    ['id!=', ['id', 'not =', ['(empty)']]],
    ['id=9007199254740991', ['id', '=', ['9007199254740991']]],
    ['id=~1', ['id', '=~', ['1']]],
    ['total=1.50', ['total', '=', ['1.50']]],
    ['total>-2', ['total', '>', ['-2']]],
    ['is_paid={true,false}', ['is_paid', '=', [true, false]]],
    ['due<=2026-02-28', ['due', '<=', ['2026-02-28']]],
    ['created_dt=1970-01-02', ['created_dt', '=', [{ from: 86_400_000, to: 172_800_000 }]]],
    ['created_dt>1970-01-01T00:00:01Z', ['created_dt', '>', [{ from: 1000, to: 1001 }]]],
    ['created_dt=1970-01-01T02:00:00.5 02:00', ['created_dt', '=', [{ from: 500, to: 501 }]]],
    ['created_dt=1970-01-01T02:00:00.5+02:00', ['created_dt', '=', [{ from: 500, to: 501 }]]],
    ['created_dt={1970-01-01,}', ['created_dt', '=', [{ from: 0, to: 86_400_000 }, '(empty)']]],
    ['created_dt=~1970', ['created_dt', '=~', ['1970']]],
    ['note!~ß%', ['note', 'not =~', ['ß%']]],
    ['note>a', ['note', '>', ['a']]],
    [`uuid=${uuid}`, ['uuid', '=', [uuid]]],
    ['customer!={1,2}', ['customer', 'not =', ['1', '2']]],
  ])('is read from %s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ['id=1.0', ['invalid_value 3+3']],
    ['id=x', ['invalid_value 3+1']],
    ['id= 1', ['invalid_value 3+2']],
    ['id=1e3', ['invalid_value 3+3']],
    ['id=9007199254740992', ['invalid_value 3+16']],
    ['id={x,1,y}', ['invalid_value 4+1', 'invalid_value 8+1']],
    ['id<', ['empty_value 3+0']],
    ['note=~', ['empty_value 6+0']],
    ['note>', ['empty_value 5+0']],
    ['total=1,5', ['invalid_value 6+3']],
    ['total=.5', ['invalid_value 6+2']],
    ['total=0.1234567890123456', ['invalid_value 6+18']],
    ['is_paid=TRUE', ['invalid_value 8+4']],
    ['is_paid=~t', ['operator_not_allowed 7+2']],
    ['is_paid<true', ['operator_not_allowed 7+1']],
    ['customer=~1', ['operator_not_allowed 8+2']],
    ['/customer>1', ['operator_not_allowed 9+1']],
    ['customer=x', ['invalid_value 9+1']],
    ['due=2026-02-30', ['invalid_value 4+10']],
    ['due=2026-01-01T00:00:00Z', ['invalid_value 4+20']],
    ['created_dt=2026-01-01T00:00', ['invalid_value 11+16']],
    ['created_dt=2026-01-01T00:00:00 2:00', ['invalid_value 11+24']],
    ['note=a\0b', ['invalid_text 5+3']],
    ['note=~\ud800', ['invalid_text 6+1']],
    ['note=~a\ufffd', ['invalid_text 6+2']],
  ])('rejects %j', (text, violations) => {
    expect(read(text)).toEqual(violations);
  });

  it('is rejected above the limit of characters', () => {
    expect(read(`note=${'x'.repeat(SEARCH_LIMITS.valueLength)}`)[1]).toBe('=');
    expect(read(`note=${'x'.repeat(SEARCH_LIMITS.valueLength + 1)}`)).toEqual([
      `limit_exceeded 5+${String(SEARCH_LIMITS.valueLength + 1)}`,
    ]);
  });

  it('reports a limited number of violations in one list', () => {
    expect(read(`id={${'x,'.repeat(500)}}`)).toHaveLength(SEARCH_LIMITS.listViolations);
  });
});

describe('the text of a violation', () => {
  it.each([
    ['/id=1.0', 'expected a whole number from -9007199254740991 to 9007199254740991, found "1.0" (at 5 of "/id=1.0")'],
    [
      '/custmer/name=x',
      'the representation of order has nothing called "custmer" here (at 2 of "/custmer/name=x"); did you mean "customer"?',
    ],
    [
      'customer.nmae=x',
      'customer has no attribute or relation "nmae" (at 10 of "customer.nmae=x"); did you mean "name"?',
    ],
    [
      'created_dt=2026-01-01T00:00:00',
      'expected a timestamp as YYYY-MM-DDThh:mm:ssZ, or a date as YYYY-MM-DD or DATE("today"), found "2026-01-01T00:00:00" (at 12 of "created_dt=2026-01-01T00:00:00")',
    ],
    [
      'note==x',
      'found ==: a search compares with = (at 6 of "note==x"); write =, or {=x} for a value that begins with =',
    ],
    [
      '/delivery/carrer/id=1',
      'the representation of order has nothing called "carrer" here (at 11 of "/delivery/carrer/id=1"); did you mean "carrier"?',
    ],
    [
      '/label=x',
      'the representation of order has nothing called "label" here (at 2 of "/label=x"); did you mean "/a~1b/c~0d"?',
    ],
    [
      `id=${'9'.repeat(300)}`,
      `expected a whole number from -9007199254740991 to 9007199254740991, found "${'9'.repeat(40)}…" (at 4 of "id=${'9'.repeat(77)}…")`,
    ],
    [
      `id={${'1,'.repeat(100)}x}`,
      `expected a whole number from -9007199254740991 to 9007199254740991, found "x" (at 205 of "…${'1,'.repeat(20)}x}")`,
    ],
  ])('explains %s', (text, words) => {
    const condition = readSearchCondition(orders, text);
    expect(
      'violations' in condition && condition.violations.map((violation) => formatSearchViolation(violation)),
    ).toEqual([words]);
  });

  it('lists the labels that exist', () => {
    const condition = readSearchCondition(customers, '/Phone/[fax]/Number=1');
    expect(
      'violations' in condition && condition.violations.map((violation) => formatSearchViolation(violation)),
    ).toEqual(['there is no label "fax", expected one of home, work (at 8 of "/Phone/[fax]/Number=1")']);
  });
});
