// @ts-check
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { loadDocuments } from '../openapi/documents.mjs';
import { root } from '../workspace.mjs';

/** The folder of the generated code, which is committed. */
export const generatedFolder = join(root, 'libs/client/src/generated');

/**
 * Generates the calls and types of `libs/client` from the OpenAPI document of the newest stable version, with all
 * texts. The API must be built; no server has to run.
 */
export async function generate(folder = generatedFolder) {
  const dir = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    const { standard, documentOf } = await loadDocuments('http://localhost:3000');
    const input = join(dir, 'openapi.json');
    writeFileSync(input, JSON.stringify(withBodiesInPlace(documentOf(standard, { hasFullTexts: true }))));
    await createClient({
      input,
      output: { path: folder, module: { extension: '.js' } },
      logs: { level: 'silent', file: false },
      plugins: [
        '@hey-api/typescript',
        { name: '@hey-api/client-fetch', throwOnError: true, bundle: true },
        // With `client: false`, every call takes its client as an argument, so that a program can use two systems at
        // once. With `auth: false`, the calls add no credential, because the client does this.
        { name: '@hey-api/sdk', client: false, auth: false },
      ],
    });
    // Removes the shared default client, which has an address of a development server. Each call takes its client as an
    // argument.
    rmSync(join(folder, 'client.gen.ts'));
    removeEventStreams(folder);
    keepKnownValues(folder);
    writeFileSync(
      join(folder, 'version.gen.ts'),
      `/** The minor version of the API that this code was generated from. */\nexport const API_VERSION = '${standard}';\n`,
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * Maps a generated file to the patterns of its code that reads server-sent events. No call uses this code, and bundlers
 * cannot leave it out.
 * @type {Readonly<Record<string, readonly RegExp[]>>}
 */
const EVENT_STREAMS = {
  'client/client.gen.ts': [
    /import \{ createSseClient \}.*\n/,
    /\n {2}const makeSseFn = [^]*?\n {2}\};\n/,
    /\n {4}sse: \{[^]*?\n {4}\},/,
  ],
  'client/types.gen.ts': [
    /import type \{\s*ServerSentEventsOptions,[^]*?;\n/,
    /,\s*Pick<\s*ServerSentEventsOptions[^]*?>(?= \{)/,
    /type SseFn = [^]*?;\n\n/,
    /, SseFn/,
  ],
};

/**
 * Removes the client for server-sent events, a sixth of each bundle.
 * @param {string} folder
 */
function removeEventStreams(folder) {
  for (const [file, parts] of Object.entries(EVENT_STREAMS)) {
    let text = readFileSync(join(folder, file), 'utf8');
    for (const part of parts) {
      if (!part.test(text)) throw new Error(`The generated ${file} has no ${part}.`);
      text = text.replace(part, '');
    }
    writeFileSync(join(folder, file), text);
  }
  rmSync(join(folder, 'core/serverSentEvents.gen.ts'));
}

/**
 * Keeps the documented values of lists that accept others, such as the states of processes. TypeScript reduces
 * `'open' | string` to `string`, so that editors would offer no value. It keeps `'open' | (string & {})`.
 * @param {string} folder
 */
function keepKnownValues(folder) {
  const file = join(folder, 'types.gen.ts');
  const text = readFileSync(file, 'utf8');
  const kept = text.replaceAll(/(?<=' \| )string\b/g, '(string & {})');
  if (kept === text) throw new Error(`The generated ${file} has no list of documented values.`);
  writeFileSync(file, kept);
}

/**
 * Puts shared request bodies back into the operations. The generator would export a type for each of them, beside the
 * type of its schema.
 * @param {any} document
 */
function withBodiesInPlace({ paths, components: { requestBodies, ...components }, ...document }) {
  const text = JSON.stringify(paths, (key, value) =>
    key === 'requestBody' && value?.$ref ? requestBodies[value.$ref.split('/').at(-1)] : value,
  );
  return { ...document, paths: JSON.parse(text), components };
}
