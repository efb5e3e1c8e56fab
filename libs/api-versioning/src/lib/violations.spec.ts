import { describe, expect, test } from '@jest/globals';
import { type VersionDeclaration } from './declaration.js';
import { VersionDeclarationError } from './violations.js';
import { VersionList } from './version-list.js';

const base: VersionDeclaration = {
  version: '1.2',
  date: '2024-01-31',
  status: 'stable',
  changelog: 'The first.',
  changes: [],
};
const next = (more: Partial<Record<keyof VersionDeclaration, unknown>>): readonly VersionDeclaration[] => [
  base,
  { ...base, version: '1.3', date: '2024-02-29', ...more } as VersionDeclaration,
];
const touching = (...endpoints: readonly string[]) => ({ changes: [{ endpoints, compatibilityFlag: 'x' }] });

function violationsOf(declarations: readonly VersionDeclaration[]): readonly string[] {
  try {
    new VersionList(declarations);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(VersionDeclarationError);
    return (error as VersionDeclarationError).violations;
  }
}

describe('the declaration of a minor version', () => {
  test('is accepted when it is correct', () => {
    expect(
      violationsOf(next({ upgrade: 'Do `this`.', ...touching('POST */copy', '* *', 'GET /a', '* /a/:id') })),
    ).toEqual([]);
    expect(violationsOf(next({ date: base.date }))).toEqual([]);
  });

  test.each(['1', '1.', '.1', '1.03', '01.3', 'v1.3', '1.3.0', ' 1.3', '1.3\n', '', '1.9999999999'])(
    'is rejected with the version %p',
    (version) => {
      expect(violationsOf(next({ version }))).toContain(
        `${JSON.stringify(version)}: expected a version such as "1.10"`,
      );
    },
  );

  test.each(['2024-2-1', '2024-02-30', '2024-13-01', '20240201', '', '2024-02-01T00:00:00Z', 'today'])(
    'is rejected with the date %p',
    (date) => {
      expect(violationsOf(next({ date }))[0]).toBe(
        `"1.3": expected a date such as "2024-10-03", found ${JSON.stringify(date)}`,
      );
    },
  );

  test.each(['copy', 'POST', 'post /copy', 'POST copy', 'POST  /copy', '/copy', '', 'POST /a b', 'POST */copy '])(
    'is rejected with the endpoint %p',
    (endpoint) => {
      expect(violationsOf(next(touching(endpoint)))).toEqual([
        `"1.3": expected an endpoint such as "GET */history" or "* *", found ${JSON.stringify(endpoint)}`,
      ]);
    },
  );

  test.each([
    [{ status: 'beta' }, '"1.3": expected the status "stable" or "preview", found "beta"'],
    [{ changelog: ' ' }, '"1.3": expected a changelog of one line, found " "'],
    [{ changelog: 'a\nb' }, '"1.3": expected a changelog of one line, found "a\\nb"'],
    [{ upgrade: '' }, '"1.3": expected an upgrade of one line, found ""'],
    [touching(), '"1.3": expected the endpoints that a change touches, found none'],
    [
      { changes: [{ endpoints: ['* *'], compatibilityFlag: undefined }] },
      '"1.3": expected the change of * * to have an effect, such as a conversion of answers',
    ],
    [{ version: '1.2' }, '"1.2" is declared twice'],
    [{ date: '2023-12-31' }, '"1.3": expected a date from 2024-01-31 on, that of 1.2, found 2023-12-31'],
    [
      { changes: [...touching('* *').changes, ...touching('GET *').changes] },
      'the compatibility flag x is declared twice',
    ],
  ])('is rejected with %j', (more, violation) => {
    expect(violationsOf(next(more))).toEqual([violation]);
  });

  test('must not have changes when it is the oldest', () => {
    expect(violationsOf([{ ...base, ...touching('* *') }])).toEqual([
      '"1.2": expected no changes, since no version is below the oldest one',
    ]);
  });

  test('is rejected when no version is stable', () => {
    for (const none of [[], [{ ...base, status: 'preview' } as const]])
      expect(violationsOf(none)).toEqual([
        'expected at least one stable version, because the newest stable version is the default',
      ]);
  });

  test('is rejected with all its errors at once', () => {
    const error = new VersionDeclarationError(violationsOf(next({ date: 'x', changelog: '', ...touching('x') })));
    expect(error.violations).toHaveLength(3);
    expect(error.message.split('\n')).toHaveLength(4);
  });
});
