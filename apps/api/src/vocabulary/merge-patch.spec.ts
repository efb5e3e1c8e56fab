import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { mergePatch, patchedItem } from './merge-patch.js';

// These are the examples of RFC 7396, appendix A.
const EXAMPLES: readonly [target: unknown, patch: unknown, result: unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe('mergePatch', () => {
  test.each(EXAMPLES)('applied to %j, the patch %j gives %j', (target, patch, result) => {
    expect(mergePatch(target, patch)).toEqual(result);
  });

  test('applies a patch with inherited names like any other', () => {
    const patch: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2}}');
    expect(JSON.stringify(mergePatch({}, patch))).toBe('{"__proto__":{"a":1},"constructor":{"b":2}}');
  });

  test('merges objects of any depth', () => {
    const depth = 150_000;
    const patch: unknown = JSON.parse(`${'{"a":'.repeat(depth)}{"b":1,"c":null}${'}'.repeat(depth)}`);
    let merged = mergePatch({ a: { kept: true } }, patch);
    expect((merged as { readonly a: object }).a).toHaveProperty('kept', true);
    for (let level = 0; level < depth; level++) merged = (merged as { readonly a: unknown }).a;
    expect(merged).toEqual({ b: 1 });
  });

  test('changes nothing when the same patch is applied again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const once = mergePatch(target, patch);
        expect(mergePatch(once, patch)).toEqual(once);
      }),
    );
  });
});

describe('patchedItem', () => {
  test('sets a property to null that the patch removes, also when the item lacks it', () => {
    expect(patchedItem({ a: 1, b: { c: 2 } }, { a: null, x: null, b: { c: null } })).toEqual({
      a: null,
      x: null,
      b: {},
    });
  });
});
