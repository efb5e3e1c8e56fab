// @ts-check
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { findDocuments, withSiteLinks } from '../apps/docs/src/generate/documents.mjs';
import { samples } from '../apps/docs/src/generate/samples.mjs';
import { Reader } from '../apps/docs/src/generate/schema.mjs';
import { root } from './workspace.mjs';

const site = join(root, 'apps/docs/dist/site');

describe('links in documents', () => {
  const documents = new Map([
    ['docs/reference/errors.md', 'reference/errors'],
    ['docs/reference/README.md', 'reference'],
    ['README.md', 'tour'],
  ]);
  /**
   * Returns a line of a document with the links of the site.
   * @param {string} line
   */
  const rewritten = (line) => withSiteLinks(line, 'docs/guides/scoring.md', documents);

  test('lead to pages of the site', () => {
    assert.equal(rewritten('[e](../reference/errors.md#codes)'), '[e](/docs/reference/errors/#codes)');
    assert.equal(rewritten('[r](../reference)'), '[r](/docs/reference/)');
    assert.equal(rewritten('[t](../../README.md#a-tour-in-five-minutes)'), '[t](/docs/tour/)');
  });

  test('are unchanged when they lead to the site itself or to other hosts', () => {
    for (const line of ['[x](https://example.com/a.md)', '[y](#codes)', '[z](/docs/api/)'])
      assert.equal(rewritten(line), line);
  });

  test('are replaced by their text when the site has no page for the file', () => {
    assert.equal(rewritten('see [the code](../../libs/x.ts) here'), 'see the code here');
  });

  test('are unchanged inside code', () => {
    const text = '```sh\n[e](../reference/errors.md)\n```';
    assert.equal(rewritten(text), text);
  });
});

describe('samples of an operation', () => {
  const call = {
    method: 'POST',
    path: '/api/v1/x/12',
    name: 'xMove',
    parameters: { id: 12 },
    query: { by: 'a.b', name: 'c d' },
    isPublic: false,
    mediaType: 'application/json',
    body: { a: [true, null] },
  };
  const [curl, typeScript, python] = samples(call).map(({ text }) => text);

  test('send the query and the body in the notation of each language', () => {
    assert.match(
      curl ?? '',
      /curl -sS "\$ATS\/x\/12\?by=a\.b&name=c\+d" [\s\S]*-d '\{\n {2}"a": \[\n {4}true,\n {4}null/,
    );
    assert.match(
      typeScript ?? '',
      /import \{ xMove \}[\s\S]* await xMove\(\{\n {2}client,\n {2}path: \{ id: 12 \},\n {2}query: \{ by: 'a\.b', name: 'c d' \},\n {2}body: \{\n {4}"a": \[/,
    );
    assert.match(
      python ?? '',
      /params=\{\n {6}"by": "a\.b",\n {6}"name": "c d"\n {4}\},[\s\S]*json=\{\n[\s\S]*"a": \[\n[\s\S]*True,\n[\s\S]*None/,
    );
  });

  test('send the fields of a form', () => {
    const form = { ...call, mediaType: 'application/x-www-form-urlencoded', body: { a: 'b c' } };
    const texts = samples(form).map(({ text }) => text);
    const patterns = [/--data-urlencode 'a=b c'/, /body: \{\s+"a": "b c"/, /data=\{\s+"a": "b c"/];
    for (const [index, text] of texts.entries()) {
      assert.match(text, patterns[index] ?? /^$/);
      assert.doesNotMatch(text, /Content-Type|cv\.pdf/);
    }
  });

  test('send a file', () => {
    const texts = samples({ ...call, mediaType: 'application/octet-stream' }).map(({ text }) => text);
    const patterns = [
      /--data-binary @cv\.pdf/,
      /body: new Blob\(\[await readFile\('cv\.pdf'\)\]\) \}/,
      /data=open\("cv\.pdf", "rb"\)/,
    ];
    for (const [index, text] of texts.entries()) assert.match(text, patterns[index] ?? /^$/);
  });

  test('send no token to a public operation', () => {
    for (const { text } of samples({ ...call, isPublic: true })) assert.doesNotMatch(text, /TOKEN/);
  });
});

test('the description of a schema that contains itself is finite', () => {
  const node = { type: 'object', properties: { inner: { $ref: '#/components/schemas/node' } } };
  const reader = new Reader({ components: { schemas: { node } } });
  assert.deepEqual(
    reader.rows(node).map(([name]) => name),
    ['`inner`', '`inner.inner`'],
  );
});

describe('the built site', { skip: existsSync(site) ? false : 'not built: run npm run build' }, () => {
  const files = existsSync(site) ? readdirSync(site, { recursive: true, encoding: 'utf8' }) : [];
  const pages = new Map(
    files
      .filter((name) => name.endsWith('.html'))
      .map((name) => [`/docs/${name.replace(/index\.html$/, '')}`, readFileSync(join(site, name), 'utf8')]),
  );

  test('has a page for each document', () => {
    const missing = [...findDocuments(root).values()].filter((path) => !pages.has(`/docs/${path}/`));
    assert.deepEqual(missing, []);
  });

  test('has fewer than 3,000 elements on each page', () => {
    const long = [...pages].filter(([, html]) => [...html.matchAll(/<[a-z]/gi)].length >= 3_000).map(([url]) => url);
    assert.deepEqual(long, []);
  });

  test('names the call of the client for each operation', () => {
    const calls = readFileSync(join(root, 'libs/client/src/generated/sdk.gen.ts'), 'utf8');
    const known = new Set([...calls.matchAll(/^export const (\w+)/gm)].map(([, name]) => name));
    const named = [...pages.values()].flatMap((html) =>
      [...html.matchAll(/The call of .*? is <code[^>]*>(\w+)</g)].map(([, name]) => name),
    );
    assert.deepEqual(new Set(named), known);
  });

  test('shows requests that have all required parameters', () => {
    const texts = {
      'api/candidates/count': ['counts?by=status', "query: { by: 'status' }", '"by": "status"'],
      'api/documents/create': ['documents?kind=cv&name=cv.pdf', "query: { kind: 'cv', name: 'cv.pdf' }"],
    };
    for (const [path, expected] of Object.entries(texts)) {
      const text = (pages.get(`/docs/${path}/`) ?? '').replaceAll(/<[^>]*>/g, '').replaceAll('&amp;', '&');
      for (const part of expected) assert.ok(text.includes(part), `${path} has no ${part}`);
    }
  });

  test('has no dead link', () => {
    const ids = new Map(
      [...pages].map(([url, html]) => [url, new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]),
    );
    const dead = [...pages].flatMap(([url, html]) =>
      [...html.matchAll(/\shref="([^"]*)"/g)].flatMap(([, href = '']) => {
        const { pathname, hash, host } = new URL(href, `http://site${url}`);
        if (host !== 'site' || !pathname.startsWith('/docs')) return [];
        const anchor = decodeURIComponent(hash.slice(1));
        const isFile = existsSync(join(site, pathname.slice('/docs/'.length)));
        if (!pages.has(pathname)) return isFile && !pathname.endsWith('/') ? [] : [`${url} → ${href}`];
        return anchor === '' || ids.get(pathname)?.has(anchor) ? [] : [`${url} → ${href}`];
      }),
    );
    assert.deepEqual([...new Set(dead)], []);
  });

  test('loads nothing from other hosts', () => {
    const foreign = [...pages].flatMap(([url, html]) =>
      [...html.matchAll(/<(?:script|link|img|iframe|source)\b[^>]*\s(?:src|href)="([^"]+)"/g)]
        .map(([, href = '']) => href)
        .filter((href) => /^(?:https?:)?\/\//.test(href))
        .map((href) => `${url} → ${href}`),
    );
    assert.deepEqual(foreign, []);
  });
});
