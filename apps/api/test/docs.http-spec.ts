import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer } from './answer.js';
import { Api, BASE_URL } from './api-harness.js';

let api: Api;
let page: Answer;

beforeAll(async () => {
  api = await Api.start();
  page = await api.request('GET', '/docs', { token: null });
});
afterAll(() => api.close());

const directives = ({ headers }: Answer): ReadonlyMap<string, string> =>
  new Map((headers['content-security-policy'] ?? '').split('; ').map((directive): [string, string] => [directive.split(' ')[0] ?? '', directive.split(' ').slice(1).join(' ')]));
const noncesIn = (text: string): string[] => [...text.matchAll(/nonce(?:="|":"|-)([A-Za-z0-9+/=]+)/g)].map(([, nonce = '']) => nonce);
/** What the page asks for: in its elements, and what its script gives to Redoc. */
const references = ({ text }: Answer): string[] =>
  [...text.matchAll(/(?:src|href)="([^"]*)"/g), ...text.matchAll(/Redoc\.init\('([^']*)'/g)].map(([, address = '']) => address).filter((address) => !address.startsWith('data:'));

describe('/docs', () => {
  test('answers anybody with a page', () => {
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toMatch(/^<!doctype html>/);
  });

  test('lets the page ask for nothing but this service, and run nothing that it did not send', () => {
    const policy = directives(page);
    expect([policy.get('default-src'), policy.get('connect-src'), policy.get('base-uri'), policy.get('form-action'), policy.get('frame-ancestors')]).toEqual([
      `'none'`,
      `'self'`,
      `'none'`,
      `'none'`,
      `'none'`,
    ]);
    expect(policy.get('script-src')).toMatch(/^'nonce-[^' ]{20,}'$/);
    expect(page.headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
  });

  test('gives every script and style the nonce of its own answer, which no other answer has', async () => {
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

  test('names only addresses below its own, which all answer 200', async () => {
    const found = references(page);
    expect([...found].sort()).toEqual(expect.arrayContaining(['docs/redoc.standalone.js', 'openapi.json']));
    for (const reference of found) {
      const { href } = new URL(reference, `${BASE_URL}/docs`);
      expect(href.startsWith(`${BASE_URL}/`)).toBe(true);
      // As it arrives behind a proxy that serves this service at the base address.
      const { status, text } = await api.request('GET', href.slice(BASE_URL.length), { token: null });
      expect([reference, status, text.length > 10_000]).toEqual([reference, 200, true]);
    }
  });

  test('brings the licences of the program along', async () => {
    const { text, headers } = await api.request('GET', '/docs/redoc.standalone.js', { token: null });
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(text).toContain('Repo: https://github.com/Redocly/redoc');
  });

  test('has a program that shows no image of somebody else', async () => {
    const { text } = await api.request('GET', '/docs/redoc.standalone.js', { token: null });
    expect(text.match(/\bsrc: ?"(?!data:)[^"]*"/g)).toBeNull();
  });
});
