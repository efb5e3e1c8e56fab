// @ts-check
// @group long: checks the types of a sample of each operation
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './workspace.mjs';

const pages = join(root, 'apps/docs/dist/content/pages');

/**
 * Returns the code blocks of the built pages of the site, each with the name of its page.
 * @param {string} folder of the pages @param {string} language a pattern
 */
const blocksIn = (folder, language) =>
  readdirSync(join(pages, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [
        ...readFileSync(join(pages, folder, file), 'utf8').matchAll(
          new RegExp(`^\`\`\`(?:${language})\n(.*?)^\`\`\`$`, 'gms'),
        ),
      ].map(([, text = '']) => ({ page: join(folder, file), text })),
    );

test('the TypeScript samples of all operations compile with @ats/client', () => {
  const samples = blocksIn('api', 'ts');
  assert.ok(samples.length > 250, `found ${samples.length} samples`);
  const folder = mkdtempSync(join(tmpdir(), 'samples-'));
  try {
    for (const { page, text } of samples) {
      const file = join(folder, page.replace(/\.md$/, '.ts'));
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, text);
    }
    // The page "Begin here" defines the client of all samples.
    writeFileSync(join(folder, 'client.d.ts'), `declare const client: import('@ats/client').Client;`);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2023',
      module: 'esnext',
      moduleResolution: 'bundler',
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      paths: { '@ats/client': [join(root, 'libs/client/dist/index.d.ts')] },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
    assert.equal(stdout, '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const PARSE = `import ast, json, sys
for one in json.load(sys.stdin):
    ast.parse(one["text"], one["page"])`;

test('Python can parse the samples of the site', (context) => {
  const samples = blocksIn('', 'py(?:thon)?');
  assert.ok(samples.length > 250, `found ${samples.length} samples`);
  const { error, stderr } = spawnSync('python3', ['-c', PARSE], { input: JSON.stringify(samples), encoding: 'utf8' });
  if (error && process.env['CI'] === undefined) return context.skip('this machine has no python3');
  assert.equal(error, undefined, 'install python3');
  assert.equal(stderr, '');
});
