import { type Call } from '../parts/call-button.js';
import { type Collection } from './catalogue.js';
import { type CollectionQuery, toParameters } from './collection-query.js';

const PREFIX = '/api/v1';
const REPEATED = ['search', 'sort'];

/** Returns the call that reads a collection with a query. */
export function callOf({ path, functions }: Collection, query: CollectionQuery): Call {
  const parameters = toParameters(query);
  const names = [...new Set(parameters.keys())];
  const value = (name: string): unknown => (REPEATED.includes(name) ? parameters.getAll(name) : parameters.get(name));
  return {
    method: 'GET',
    path: path.slice(PREFIX.length),
    operation: functions.list ?? '',
    ...(names.length > 0 && { query: Object.fromEntries(names.map((name) => [name, value(name)])) }),
  };
}

/** Returns the call that reads or changes one item. */
export function itemCallOf(
  { path, functions }: Collection,
  id: number,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
): Call {
  const method = body === undefined ? 'GET' : 'PATCH';
  const operation = functions[body === undefined ? 'get' : 'patch'] ?? '';
  return {
    method,
    path: `${path.slice(PREFIX.length)}/${id}`,
    operation,
    params: { id },
    ...(body !== undefined && { body, ...(headers && { headers }) }),
  };
}
