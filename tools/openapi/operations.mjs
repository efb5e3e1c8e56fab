// @ts-check
import { join } from 'node:path';
import { root } from '../workspace.mjs';

/** @typedef {import('./documents.mjs').Document} Document */

export const LIST_FILE = join(root, 'docs/reference/api-operations.md');

const HEAD = '| Id | Request |\n|---|---|\n';

/**
 * Replaces the table of operation ids in a page. The operations keep the order of the documents.
 * @param {string} page the text of the page
 * @param {readonly Document[]} documents of all versions, newest first
 */
export function withList(page, documents) {
  const start = page.lastIndexOf(HEAD);
  if (start < 0) throw new Error('docs/reference/api-operations.md has no table of operation ids');
  return page.slice(0, start + HEAD.length) + [...new Set(documents.flatMap(rowsOf))].map((row) => `${row}\n`).join('');
}

/**
 * Returns the rows of the table for one document: the operations whose ids do not follow from their paths.
 * @param {Document} document
 */
const rowsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, { parameters: _common, ...methods }]) =>
    Object.entries(methods)
      .map(([method, { operationId }]) => ({ id: operationId, request: `${method.toUpperCase()} ${path}` }))
      .filter(({ id, request }) => request !== requestOf(id))
      .map(({ id, request }) => `| \`${id}\` | \`${request}\` |`),
  );

/**
 * Maps an action that all resources can have to its request. `*` stands for the path of the resource.
 * @type {Readonly<Record<string, string | undefined>>}
 */
const REQUESTS = {
  list: 'GET *',
  create: 'POST *',
  query: 'POST */query',
  count: 'GET */counts',
  get: 'GET */{id}',
  replace: 'PUT */{id}',
  patch: 'PATCH */{id}',
  delete: 'DELETE */{id}',
};

/**
 * Returns the request that follows from an operation id, such as `GET /api/v1/candidates` for `candidates.list`.
 * @param {string} id
 */
function requestOf(id) {
  const [tag, action = ''] = id.split('.');
  return REQUESTS[action]?.replace('*', `/api/v1/${tag}`);
}
