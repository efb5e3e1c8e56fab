// @ts-check
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cataloguePages } from './catalogues.mjs';
import { documentPage, findDocuments, withSiteLinks } from './documents.mjs';
import { OperationPages } from './operations.mjs';
import { sidebarOf } from './sidebar.mjs';

/**
 * Writes the pages of the site as Markdown, and its navigation, into a folder that git ignores.
 * @param {{ root: string, project: string, output: string }} folders
 */
export function writeContent({ root, project, output }) {
  const reference = JSON.parse(readFileSync(join(project, 'dist/reference.json'), 'utf8'));
  const documents = findDocuments(root);
  const operations = new OperationPages(reference.openapi);
  const own = ['index', 'api'];
  const pages = new Map([
    ...[...documents].map(([file, path]) => /** @type {const} */ ([path, documentPage(root, file, documents)])),
    ...own.map((name) => /** @type {const} */ ([name === 'index' ? '' : name, readOwn(project, name, documents)])),
    ...cataloguePages(reference),
    ...operations.all(),
  ]);
  rmSync(output, { recursive: true, force: true });
  for (const [path, text] of pages) {
    const file = join(output, 'pages', `${path === '' ? '' : `${path}/`}index.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(output, 'sidebar.json'), JSON.stringify(sidebarOf({ documents, operations, pages })));
  return pages.size;
}

/** @param {string} project @param {string} name @param {ReadonlyMap<string, string>} documents */
const readOwn = (project, name, documents) =>
  withSiteLinks(readFileSync(join(project, 'src/content', `${name}.md`), 'utf8'), 'README.md', documents);
