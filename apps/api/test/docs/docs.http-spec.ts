import { beforeAll, describe, expect, test } from '@jest/globals';
import { CHANGES_IN_EVERY_VERSION } from '../../src/versions/changes-in-every-version.js';
import { VERSIONS } from '../../src/versions/versions.js';
import { type Answer } from '../support/answer.js';
import { BASE_URL } from '../support/api-harness.js';
import { useApi } from '../support/use-api.js';

const NEWEST_FIRST = [...VERSIONS.declarations].reverse();
const EXPECTED = `expected one of ${VERSIONS.versions.join(', ')}`;

const { api } = useApi();
let page: Answer;

beforeAll(async () => {
  page = await api.request('GET', '/docs', { token: null });
});

const directives = ({ headers }: Answer): ReadonlyMap<string, string> =>
  new Map(
    (headers['content-security-policy'] ?? '')
      .split('; ')
      .map((directive): [string, string] => [directive.split(' ')[0] ?? '', directive.split(' ').slice(1).join(' ')]),
  );
const noncesIn = (text: string): string[] =>
  [...text.matchAll(/nonce(?:="|":"|-)([A-Za-z0-9+/=]+)/g)].map(([, nonce = '']) => nonce);
/** The URLs that the page loads: those in its elements and the one in its call of Redoc. */
const references = ({ text }: Answer): string[] =>
  [...text.matchAll(/(?:src|href)="([^"]*)"/g), ...text.matchAll(/Redoc\.init\('([^']*)'/g)]
    .map(([, address = '']) => address)
    .filter((address) => !address.startsWith('data:'));

describe('/docs', () => {
  test('needs no credential', () => {
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toMatch(/^<!doctype html>/);
  });

  test('restricts the page to this service and to scripts with its nonce', () => {
    const policy = directives(page);
    expect([
      policy.get('default-src'),
      policy.get('connect-src'),
      policy.get('base-uri'),
      policy.get('form-action'),
      policy.get('frame-ancestors'),
    ]).toEqual([`'none'`, `'self'`, `'none'`, `'none'`, `'none'`]);
    expect(policy.get('script-src')).toMatch(/^'nonce-[^' ]{20,}'$/);
    expect(page.headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
  });

  test('gives every script and style a nonce that is unique to the answer', async () => {
    const [nonce = '', ...others] = new Set(noncesIn(page.headers['content-security-policy'] ?? ''));
    expect(others).toEqual([]);
    const elements = [...page.text.matchAll(/<(?:script|style)[^>]*>/g)].map(([element]) => element);
    expect(elements.length).toBeGreaterThan(2);
    expect(elements.filter((element) => !element.includes(`nonce="${nonce}"`))).toEqual([]);
    expect(new Set(noncesIn(page.text))).toEqual(new Set([nonce]));
    const again = await api.request('GET', '/docs', { token: null });
    expect(again.text).not.toContain(nonce);
    expect(again.headers['cache-control']).toBe('no-store');
  });

  test('links only to URLs below the public base URL, and each answers 200', async () => {
    const found = references(page);
    expect([...found].sort()).toEqual(
      expect.arrayContaining([
        'docs/changelog',
        'docs/redoc.standalone.js',
        'docs?version=1.2',
        'openapi.json?version=1.7',
      ]),
    );
    for (const reference of found) {
      const { href } = new URL(reference, `${BASE_URL}/docs`);
      expect(href.startsWith(`${BASE_URL}/`)).toBe(true);
      // The API gets the path without the path of the base URL, as behind a proxy that removes that path.
      const { status, text } = await api.request('GET', href.slice(BASE_URL.length), { token: null });
      expect([reference, status, text.length > 1_000]).toEqual([reference, 200, true]);
    }
  });

  test('serves a script that contains the licence notices of its libraries', async () => {
    const { text, headers } = await api.request('GET', '/docs/redoc.standalone.js', { token: null });
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(text).toContain('Repo: https://github.com/Redocly/redoc');
  });

  test('serves a script that loads no images from third parties', async () => {
    const { text } = await api.request('GET', '/docs/redoc.standalone.js', { token: null });
    expect(text.match(/\bsrc: ?"(?!data:)[^"]*"/g)).toBeNull();
  });
});

describe('/docs?version=', () => {
  test('shows the reference of the given version, with links to the other versions', async () => {
    const { text } = await api.request('GET', '/docs?version=1.4', { token: null });
    expect(text).toContain(`Redoc.init('openapi.json?version=1.4'`);
    expect(text).toContain('<summary>Version 1.4</summary>');
    expect(
      [...text.matchAll(/docs\?version=([\d.]+)"( aria-current)?/g)].map(
        ([, version, current]) => `${version}${current ?? ''}`,
      ),
    ).toEqual(NEWEST_FIRST.map(({ version }) => (version === '1.4' ? '1.4 aria-current' : version)));
  });

  test('defaults to the version of requests without Api-Version', () => {
    expect(page.text).toContain(`Redoc.init('openapi.json?version=1.7'`);
  });

  test.each([
    ['/docs', 'version=1.x', `${EXPECTED}, found "1.x"`],
    ['/openapi.json', 'version=1.1', `${EXPECTED}, found "1.1"`],
    ['/openapi.json', 'version=', `${EXPECTED}, found ""`],
    ['/openapi.json', 'version=1.7%00', `${EXPECTED}, found "1.7\\u0000"`],
    ['/openapi.json', 'version=%ed%a0%80', 'expected percent escapes of valid UTF-8, and %25 for a percent sign'],
    ['/openapi.json', 'version=1.4&version=1.4', 'expected the parameter once, found 2 times: "1.4", "1.4"'],
    ['/docs', 'versoin=1.4', 'unknown parameter, expected one of version'],
    ['/docs/changelog', 'version=1.4', 'unknown parameter, expected none'],
  ])('%s?%s is rejected', async (path, query, info) => {
    const { status, problem } = await api.request('GET', `${path}?${query}`, { token: null });
    expect([status, problem.errors?.map((error) => [error.path, error.parameter, error.code, error.info])]).toEqual([
      400,
      [['', query.split('=')[0], 'invalid', info]],
    ]);
  });
});

describe('/docs/changelog', () => {
  let changelog: Answer;
  beforeAll(async () => {
    changelog = await api.request('GET', '/docs/changelog', { token: null });
  });

  test('lists each version, newest first, with date, status, changes and upgrade steps', () => {
    expect([changelog.status, changelog.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const sections = changelog.text.split('<section id="v').slice(1);
    const said = (pattern: RegExp): readonly (string | undefined)[] =>
      sections.map((section) => pattern.exec(section)?.[1]);
    expect(said(/<h2>([\d.]+)/)).toEqual(NEWEST_FIRST.map(({ version }) => version));
    expect(said(/<time>([\d-]+)/)).toEqual(NEWEST_FIRST.map(({ date }) => date));
    expect(said(/<\/time> · ([^<]+)/)).toEqual(
      NEWEST_FIRST.map(({ version, status }) => (version === '1.7' ? 'stable, the default' : status)),
    );
    expect(said(/To upgrade:<\/strong> (.{20})/).slice(0, -1)).not.toContain(undefined);
    const [history = ''] = sections.filter((section) => section.includes('<h2>1.7 '));
    expect(history).toContain('<code>has_more</code>');
    expect(history).toContain('<code>GET …/history</code>');
  });

  test('lists the changes in every version above the versions, with dates and upgrade steps', () => {
    const [, ...sections] = (changelog.text.split('<section id="v')[0] ?? '').split('<section id="d');
    expect(sections.map((section) => /<time>([\d-]+)/.exec(section)?.[1])).toEqual(
      CHANGES_IN_EVERY_VERSION.map(({ date }) => date),
    );
    const changes = CHANGES_IN_EVERY_VERSION.flatMap((dated) => dated.changes);
    const items = [...sections.join('').matchAll(/<li>(.*)<\/li>/g)].map(([, item = '']) => item);
    expect(items.map((item) => item.includes('<strong>To upgrade:</strong>'))).toEqual(
      changes.map(({ upgrade }) => upgrade !== undefined),
    );
    expect(items.join('\n')).toContain('<code>POST /&lt;collection&gt;/query</code>');
  });

  test('runs no script and loads nothing', () => {
    expect(changelog.text).not.toContain('<script');
    const policy = directives(changelog);
    expect([
      policy.get('default-src'),
      policy.has('script-src'),
      policy.has('connect-src'),
      policy.get('form-action'),
    ]).toEqual([`'none'`, false, false, `'none'`]);
    const [nonce = ''] = noncesIn(changelog.headers['content-security-policy'] ?? '');
    expect(changelog.text).toContain(`<style nonce="${nonce}">`);
  });

  test('links to the reference of each version', async () => {
    const found = references(changelog);
    expect(found).toEqual(expect.arrayContaining(['../docs', '../docs?version=1.2', '../openapi.json?version=1.9']));
    for (const reference of found) {
      const { href } = new URL(reference, `${BASE_URL}/docs/changelog`);
      expect([reference, (await api.request('GET', href.slice(BASE_URL.length), { token: null })).status]).toEqual([
        reference,
        200,
      ]);
    }
  });
});
