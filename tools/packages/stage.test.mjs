// @ts-check
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../workspace.mjs';
import { withoutCitations } from './stage.mjs';
import { isPublished, readProjects } from './template.mjs';

/** A page that does not exist. Another test looks up each page that a file cites. */
const PAGE = `docs/${'a'}.md`;

test('docstrings in a published package cite no page of this repository, and keep their other text', () => {
  const line = `/**\n * Reads a page.\n * Source: ${PAGE}, "Links" and "Cursors".\n */\n`;
  assert.equal(withoutCitations(line), '/**\n * Reads a page.\n */\n');
  assert.equal(withoutCitations(`/** A page. Source: ${PAGE}. */`), '/** A page. */');
  assert.equal(withoutCitations(` * Source: ${PAGE}; RFC 6890.`), ' * Source: RFC 6890.');
  assert.equal(withoutCitations(` * Source: ${PAGE}, "B". More.`), ' * More.');
  assert.equal(withoutCitations(` * The key (${PAGE}).`), ' * The key.');
});

test('no declaration of a published library keeps a citation', () => {
  for (const { folder } of readProjects().filter(isPublished)) {
    const dist = join(root, folder, 'dist');
    for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.d.ts')) continue;
      const text = withoutCitations(readFileSync(join(dist, path), 'utf8'));
      assert.doesNotMatch(text, /(?<![\w.]\/)\bdocs\/[\w-]+\/[\w-]+\.md/, `${folder}/dist/${path}`);
    }
  }
});
