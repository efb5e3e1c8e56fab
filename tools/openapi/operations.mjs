// @ts-check
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/** @typedef {import('./documents.mjs').Document} Document */

export const LIST_FILE = join(root, 'docs/reference/api-operations.md');

const HEAD = '| Id | Request |\n|---|---|\n';

/**
 * Replaces the table of the page. The operations keep the order of the documents.
 * @param {string} page
 * @param {readonly Document[]} documents of all versions, newest first
 */
export function withList(page, documents) {
  const start = page.indexOf(HEAD);
  if (start < 0) throw new Error('docs/reference/api-operations.md has no table of operation ids');
  return page.slice(0, start + HEAD.length) + [...new Set(documents.flatMap(rowsOf))].map((row) => `${row}\n`).join('');
}

/**
 * Returns the rows of the table for one document.
 * @param {Document} document
 */
const rowsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, { parameters: _common, ...methods }]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => `| \`${operationId}\` | \`${method.toUpperCase()} ${path}\` |`,
    ),
  );
