import { describe, expect, test } from '@jest/globals';
import { syntax } from '../../../test/form-data.js';
import { type EnglishViolation, inEnglish } from '../../../test/english.js';
import { model } from '../../../test/recruiting.js';
import { parseDatapath } from '../syntax/datapath.js';
import { DatapathCheckError } from '../syntax/errors.js';
import { resolveDatapath, type ResolvedDatapath } from './resolve.js';

const resolve = (text: string, root = 'application'): ResolvedDatapath =>
  resolveDatapath(parseDatapath(text, model), model, root, { rootOptional: true });

const violationOf = (text: string, options = {}): EnglishViolation => {
  try {
    resolveDatapath(parseDatapath(text, model), model, 'application', options);
  } catch (error) {
    if (error instanceof DatapathCheckError) return inEnglish(error.violations[0]);
  }
  throw new Error(`no violation in ${text}`);
};

describe('a datapath that the model describes', () => {
  const table: readonly (readonly [string, Partial<ResolvedDatapath>])[] = [
    [
      'application.id',
      { steps: [], owner: 'application', end: { kind: 'attribute', name: 'id' }, type: 'integer', many: false },
    ],
    ['application.tags', { end: { kind: 'attribute', name: 'tags' }, type: 'text', many: true }],
    [
      'application.user.firstname',
      { steps: [{ relation: 'user', target: 'user', many: false }], owner: 'user', type: 'text', many: false },
    ],
    [
      'application.user.Address.City',
      {
        steps: [
          { relation: 'user', target: 'user', many: false },
          { relation: 'Address', target: 'address', many: true },
        ],
        owner: 'address',
        many: true,
      },
    ],
    [
      'application.user',
      { steps: [], end: { kind: 'reference', relation: 'user', target: 'user' }, type: 'reference', many: false },
    ],
    [
      'application.user.Address',
      { end: { kind: 'reference', relation: 'Address', target: 'address' }, type: 'reference', many: true },
    ],
    [
      'application.formdata.21:2:1',
      {
        steps: [],
        end: { kind: 'collection', key: { collection: 'formdata', parts: ['21', '2', '1'] } },
        type: 'text',
        many: false,
      },
    ],
    [
      'application.formdata.22',
      { end: { kind: 'collection', key: { collection: 'formdata', parts: ['22'] } }, many: true },
    ],
    ['application.opportunity.formdata.salary', { owner: 'opportunity', type: 'integer' }],
  ];
  test.each(table)('is resolved: %s', (text, resolved) => {
    expect(resolve(text)).toMatchObject({ text, root: 'application', ...resolved });
  });

  test('gets the root when the root is optional and missing', () => {
    expect(resolve('user.firstname')).toEqual(resolve('application.user.firstname'));
    expect(resolve('formdata.21')).toEqual(resolve('application.formdata.21'));
    expect(resolve('id').text).toBe('application.id');
  });

  test('can have the root when the root is optional', () => {
    expect(violationOf('user.firstname')).toMatchObject({
      code: 'unknown_root',
      hint: 'did you mean "application.user.firstname"?',
    });
  });
});

describe('a datapath that the model does not describe', () => {
  const table: readonly (readonly [string, string, number, number, string | null])[] = [
    ['application.user.firstnam', 'unknown_name', 17, 8, 'did you mean "firstname"?'],
    ['application.usr.firstname', 'unknown_name', 12, 3, 'did you mean "user"?'],
    ['application.user.adress.City', 'unknown_name', 17, 6, 'did you mean "Address"?'],
    ['application.user.address.City', 'unknown_name', 17, 7, 'did you mean "Address"?'],
    ['application.shoe_size', 'unknown_name', 12, 9, null],
    ['application.id.value', 'not_a_relation', 12, 2, null],
    ['application.formdata', 'unknown_name', 12, 8, 'write "formdata.<item>"'],
    ['application.formdata.99', 'unknown_key', 21, 2, null],
    ['application.user.formdata.21', 'no_collection', 17, 8, null],
    ['application', 'not_a_value', 0, 11, 'write "application.id"'],
    ['aplication.id', 'unknown_root', 0, 10, 'did you mean "application"?'],
    ['application.__proto__', 'unknown_name', 12, 9, null],
    ['application.constructor', 'unknown_name', 12, 11, null],
    ['application.constructor.prototype', 'unknown_name', 12, 11, null],
    ['application.toString', 'unknown_name', 12, 8, null],
    ['application.user.hasOwnProperty', 'unknown_name', 17, 14, null],
    ['application.tags.length', 'not_a_relation', 12, 4, null],
    ['application.user.referrals.referrals.id', 'repeated_list', 27, 9, null],
    ['application.user.referrals.referrals', 'repeated_list', 27, 9, null],
  ];
  test.each(table)('is rejected: %s as %s', (text, code, offset, length, hint) => {
    expect(violationOf(text)).toMatchObject({ code, offset, length, hint });
  });

  test('has a violation at its position in the original text, even when the root is missing', () => {
    expect(violationOf('user.firstnam', { rootOptional: true })).toMatchObject({
      offset: 5,
      length: 8,
      excerpt: '  user.firstnam\n       ^^^^^^^^',
    });
  });

  test('is rejected with any key when the model knows no keys', () => {
    const bare = { ...syntax, type: (name: string) => model.type(name) };
    expect(() => resolveDatapath(parseDatapath('application.formdata.21', model), bare, 'application')).toThrow(
      /no form item "21"/,
    );
  });
});
