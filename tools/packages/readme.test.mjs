// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplesOf, outputFault } from './readme.mjs';
import { citedPages, publishedManifest, withPackedLinks } from './stage.mjs';

const readme = `
\`\`\`js
import { a } from '@ats/a';

// Prose
console.log(a); // 1
for (const line of a) console.log(line);
// 3
// …

// More prose
\`\`\`

\`\`\`ts
const fragment = 1;
\`\`\`
`;

test('the check of examples reads the expected output from comments after statements that print', () => {
  const [example, ...others] = examplesOf(readme, '@ats/a');
  assert.deepEqual(others, []);
  assert.equal(example?.output, '1\n3\n…');
});

test('the check of examples compares their output, and accepts any text for an ellipsis', () => {
  assert.equal(outputFault('1\n', '1'), undefined);
  assert.equal(outputFault('', ''), undefined);
  assert.equal(outputFault('id=77 ok\nx\ny\n', 'id=… ok\n…'), undefined);
  assert.match(outputFault('2\n', '1') ?? '', /promises "1", but the example printed "2"/);
  assert.match(outputFault('1\n2\n', '1') ?? '', /promises "no more output", but the example printed "2"/);
  assert.match(outputFault('', '1') ?? '', /promises "1"/);
});

test('a package has its changelog, but no sources, no settings of this workspace and no links into it', () => {
  const manifest = {
    name: '@ats/a',
    version: '1.0.0',
    nx: { tags: [] },
    devDependencies: { b: '1.0.0' },
    exports: {
      './package.json': './package.json',
      '.': { '@ats/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
      './testing': { '@ats/source': './test/index.ts' },
    },
  };
  assert.deepEqual(publishedManifest(manifest), {
    name: '@ats/a',
    version: '1.0.0',
    files: ['CHANGELOG.md'],
    exports: {
      './package.json': './package.json',
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    },
  });
});

test('a package has the pages of the reference to which its README links, and no links into this repository', () => {
  const folder = 'docs/reference';
  const pages = ['docs/reference/search.md'];
  const readmeOf = `[a](../../${pages[0]}#x), [c](../../docs/operations.md), [d](test/d.json), [e](https://e.example)`;
  assert.deepEqual(citedPages(readmeOf), pages);
  assert.equal(
    withPackedLinks(readmeOf, { from: 'libs/a', to: '', pages }),
    '[a](docs/reference/search.md#x), c, [d](test/d.json), [e](https://e.example)',
  );
  const page = '[a](search.md), [b](paging.md#y), [c](../operations.md), [f](#f)';
  assert.equal(withPackedLinks(page, { from: folder, to: folder, pages }), '[a](search.md), b, c, [f](#f)');
  assert.deepEqual(publishedManifest({ name: 'a', version: '1.0.0', nx: { tags: [] } }, pages).files, [
    'CHANGELOG.md',
    ...pages,
  ]);
});
