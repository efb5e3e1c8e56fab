// @ts-check
/** Writes the OpenAPI document without a server: `npm run openapi -- --help`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from './node.mjs';
import { flag, parseOptions, text } from './options.mjs';
import { PlainError, root } from './workspace.mjs';

const usage = `usage: npm run openapi -- [options]
Prints the OpenAPI document of the compiled API. It needs no database and no server.

  --version <version>  the minor version, by default the version of requests without Api-Version
  --base-url <url>     the server of the document, by default http://localhost:3000
  --operations         write the list of operation ids into docs/reference/api-operations.md instead
  --help               print this text`;

await runTool(async () => {
  const options = parseOptions(usage, { version: text, 'base-url': text, operations: flag }, process.argv.slice(2));
  if (!options) return;
  if (!existsSync(join(root, 'apps/api/dist/app.module.js'))) throw new PlainError('build first: npm run build');
  // The import is here because a fresh clone lacks the compiled API.
  const [{ loadDocuments }, { LIST_FILE, withList }] = await Promise.all([
    import('./openapi/documents.mjs'),
    import('./openapi/operations.mjs'),
  ]);
  const { versions, standard, documentOf } = await loadDocuments(options['base-url'] ?? 'http://localhost:3000');
  if (options.operations) {
    const before = readFileSync(LIST_FILE, 'utf8');
    const after = withList(
      before,
      [...versions].reverse().map((version) => documentOf(version)),
    );
    writeFileSync(LIST_FILE, after);
    console.log(
      after === before ? 'The list of operation ids is up to date.' : 'The list of operation ids was written.',
    );
    return;
  }
  const version = options.version ?? standard;
  if (!versions.includes(version)) throw new PlainError(`--version must be one of ${versions.join(', ')}`);
  process.stdout.write(JSON.stringify(documentOf(version)));
});
