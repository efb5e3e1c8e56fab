// @ts-check
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { generate, generatedFolder } from './client/generate.mjs';
import { root } from './workspace.mjs';

/** Maps each file of a folder to its text. @param {string} folder */
const filesOf = (folder) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .sort()
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  );

test('the generated code of libs/client is that of the present API', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  try {
    await generate(folder);
    const expected = filesOf(folder);
    const committed = filesOf(generatedFolder);
    const differing = Object.keys({ ...expected, ...committed }).filter((file) => expected[file] !== committed[file]);
    assert.deepEqual(differing, [], 'run `npm run generate:client` after a build, and commit its output');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('each call of the client costs at most 5 kB in a bundle for browsers', async () => {
  const calls = readFileSync(join(generatedFolder, 'sdk.gen.ts'), 'utf8').matchAll(/^export const (\w+) = /gm);
  const sizes = await Promise.all([...calls].map(async ([, name = '']) => ({ name, size: await costOf(name) })));
  const dearest = sizes.reduce((one, other) => (other.size > one.size ? other : one));
  assert.ok(sizes.length > 200, `found ${sizes.length} calls`);
  assert.ok(dearest.size > 1_000 && dearest.size <= 5_000, `${dearest.name} costs ${dearest.size} bytes`);
});

/** Returns the compressed size of a program that makes one call. @param {string} name */
async function costOf(name) {
  const contents = `import { createClient, ${name} } from './src/index.ts';
    console.log(await ${name}({ client: createClient({ baseUrl: '', token: '' }) }));`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(root, 'libs/client') },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
  });
  return gzipSync(outputFiles[0]?.contents ?? assert.fail()).length;
}
