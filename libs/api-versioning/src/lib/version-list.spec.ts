import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type VersionChange, type VersionDeclaration } from './declaration.js';
import { VersionList } from './version-list.js';

const declared = (
  version: string,
  changes: readonly VersionChange[] = [],
  more: Partial<VersionDeclaration> = {},
): VersionDeclaration => ({
  version,
  date: '2024-01-01',
  status: 'stable',
  changelog: 'Something.',
  changes,
  ...more,
});

/**
 * Makes a change that appends its mark to each text that it converts. The result shows which changes ran, and in which
 * order.
 */
const marking = (mark: string, endpoints: readonly string[]): VersionChange => ({
  endpoints,
  request: { body: (body) => [...(body as readonly string[]), mark] },
  response: {
    body: (json) => `${json} ${mark}`,
    violationPath: (pointer) => `${pointer}/${mark}`,
    headers: { location: (value) => `${value} ${mark}` },
  },
  operation: (operation) => [...(operation as readonly string[]), mark],
});

const ORDERS = { method: 'POST', path: '/orders' };

describe('a list of versions', () => {
  test('is ordered by number', () => {
    const list = new VersionList(['1.10', '1.9', '2.0', '1.2'].map((version) => declared(version)));
    expect([list.versions, list.newest]).toEqual([['1.2', '1.9', '1.10', '2.0'], '2.0']);
    expect(list.declarations.map(({ version }) => version)).toEqual(list.versions);
  });

  test('has the newest stable version as its default', () => {
    const preview = { status: 'preview' } as const;
    expect(new VersionList([declared('1.1'), declared('1.2'), declared('1.3', [], preview)]).default).toBe('1.2');
    expect(new VersionList([declared('1.1'), declared('1.2', [], preview), declared('1.3')]).default).toBe('1.3');
  });

  test.each(['1.07', ' 1.7', '1.7 ', '1.7.0', '1.7,1.7', '١.٧', '', '1', 'toString', '__proto__', '1.70'])(
    'does not accept %p as the version 1.7',
    (text) => {
      const list = new VersionList([declared('1.7')]);
      expect(list.has(text)).toBe(false);
      expect(() => list.compatibilityFlagsAt(text)).toThrow(RangeError);
    },
  );

  test('marks the conversion of an answer as ASCII when each of its steps is', () => {
    const step = (isBodyAscii: boolean): VersionChange => ({
      endpoints: ['* *'],
      response: { body: (json) => json, ...(isBodyAscii && { isBodyAscii }) },
    });
    const isAscii = (...steps: readonly VersionChange[]): boolean | undefined =>
      new VersionList([
        declared('1.1'),
        ...steps.map((change, index) => declared(`1.${index + 2}`, [change])),
      ]).adaptationAt('1.1', ORDERS)?.isAnswerAscii;
    expect(isAscii(step(true), { endpoints: ['* *'], request: { body: (body) => body } })).toBe(true);
    expect(isAscii(step(true), step(false))).toBe(false);
  });

  test('sets a compatibility flag for the versions before the version whose change names the flag', () => {
    const ending = (compatibilityFlag: string): VersionChange => ({ endpoints: ['* *'], compatibilityFlag });
    const list = new VersionList([
      declared('1.1'),
      declared('1.2', [ending('a')]),
      declared('1.3', [ending('b'), ending('c')]),
    ]);
    expect(list.versions.map((version) => [...list.compatibilityFlagsAt(version)])).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
      [],
    ]);
  });

  test('has no adaptation for the newest version or for an unchanged endpoint', () => {
    const list = new VersionList([
      declared('1.1'),
      declared('1.2', [marking('1.2', ['POST /orders']), { endpoints: ['* *'], compatibilityFlag: 'x' }]),
    ]);
    expect(list.adaptationAt('1.2', ORDERS)).toBeUndefined();
    expect(list.adaptationAt('1.1', { method: 'GET', path: '/orders' })).toBeUndefined();
    expect(list.adaptationAt('1.1', ORDERS)).toBe(list.adaptationAt('1.1', ORDERS));
  });

  test('reads a body in the media type of the oldest change that is newer than the version', async () => {
    const media = (type: string) => ({ request: { media: { type, read: () => Promise.resolve(type) } } });
    const list = new VersionList([
      declared('1.1'),
      declared('1.2', [{ endpoints: ['* *'], ...media('multipart/form-data') }]),
      declared('1.3', [{ endpoints: ['* *'], request: { body: (body) => [body] } }]),
      declared('1.4', [{ endpoints: ['* *'], ...media('text/csv') }]),
      declared('1.5'),
    ]);
    expect(list.versions.map((version) => list.adaptationAt(version, ORDERS)?.media?.type)).toEqual([
      'multipart/form-data',
      'text/csv',
      'text/csv',
      undefined,
      undefined,
    ]);
    const { media: found, requestBody } = list.adaptationAt('1.1', ORDERS) ?? {};
    expect(requestBody?.(await found?.read(Buffer.from(''), 'text/plain'))).toEqual(['multipart/form-data']);
  });

  test('converts only the parts of requests and answers that a change affects', () => {
    const list = new VersionList([
      declared('1.1'),
      declared('1.2', [{ endpoints: ['* *'], response: { violationPath: () => '/x' } }]),
    ]);
    const adaptation = list.adaptationAt('1.1', ORDERS);
    expect([
      adaptation?.requestBody,
      adaptation?.answerBody,
      adaptation?.media,
      adaptation?.answerHeaders,
      adaptation?.violationPath?.('/y'),
    ]).toEqual([undefined, undefined, undefined, {}, '/x']);
  });
});

describe('for any versions, a request', () => {
  const PATHS = ['/a', '/a/b', '/b'];
  const PATTERNS = ['* *', 'POST *', 'GET *', 'POST /a', '* /a*', '* */b', 'GET /b'];
  /**
   * Returns whether a pattern matches an endpoint. It does not use `parseEndpoint`, because these tests check that
   * function.
   */
  const touches = (pattern: string, { method, path }: { readonly method: string; readonly path: string }): boolean =>
    ({
      '* *': true,
      'POST *': method === 'POST',
      'GET *': method !== 'POST',
      'POST /a': method === 'POST' && path === '/a',
      '* /a*': path.startsWith('/a'),
      '* */b': path.endsWith('/b'),
      'GET /b': method !== 'POST' && path === '/b',
    })[pattern] ?? false;

  const endpoints = fc.record({ method: fc.constantFrom('GET', 'HEAD', 'POST'), path: fc.constantFrom(...PATHS) });
  const lists = fc.array(
    fc.array(fc.uniqueArray(fc.constantFrom(...PATTERNS), { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
    { minLength: 1, maxLength: 12 },
  );

  test('is converted by exactly the newer changes of its endpoint, and its answer in reverse order', () => {
    fc.assert(
      fc.property(lists, endpoints, fc.nat(), (changesOf, endpoint, chosen) => {
        const declarations = changesOf.map((changes, index) =>
          declared(
            `1.${index}`,
            index === 0 ? [] : changes.map((patterns, place) => marking(`${index}-${place}`, patterns)),
          ),
        );
        const list = new VersionList([...declarations].reverse());
        const at = chosen % changesOf.length;
        const expected = changesOf.flatMap((changes, index) =>
          index > at
            ? changes.flatMap((patterns, place) =>
                patterns.some((pattern) => touches(pattern, endpoint)) ? [`${index}-${place}`] : [],
              )
            : [],
        );
        const adaptation = list.adaptationAt(`1.${at}`, endpoint);
        expect(list.operationAt(`1.${at}`, endpoint, [])).toEqual([...expected].reverse());
        if (expected.length === 0) return expect(adaptation).toBeUndefined();
        const down = [...expected].reverse();
        expect(adaptation?.requestBody?.([])).toEqual(expected);
        expect(adaptation?.answerBody?.('json', {})).toBe(['json', ...down].join(' '));
        expect(adaptation?.violationPath?.('')).toBe(['', ...down].join('/'));
        expect(adaptation?.answerHeaders['location']?.('at', {})).toBe(['at', ...down].join(' '));
      }),
      { numRuns: 500 },
    );
  });
});
