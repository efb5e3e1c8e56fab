import { type Call, functionOf } from './call-samples.js';

const PREFIX = '/api/v1';

/** The part of `/openapi.json` that maps the paths and methods of operations to their ids. */
export interface Operations {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
}

/** Returns the call of an operation from its address, such as `/api/v1/topics/3`. */
export function callOf({ paths }: Operations, method: Call['method'], address: string): Call {
  const { pathname, searchParams } = new URL(address, 'https://service.invalid');
  const parts = pathname.split('/');
  const [template = ''] = Object.keys(paths)
    .filter((path) => paths[path]?.[method.toLowerCase()] && fits(path.split('/'), parts))
    .toSorted((one, other) => one.split('{').length - other.split('{').length);
  const params = template.split('/').flatMap((name, at) => {
    const value = parts[at] ?? '';
    return name.startsWith('{') ? [[name.slice(1, -1), /^\d+$/.test(value) ? Number(value) : value] as const] : [];
  });
  return {
    method,
    path: pathname.slice(PREFIX.length),
    operation: functionOf(paths[template]?.[method.toLowerCase()]),
    ...(params.length > 0 && { params: Object.fromEntries(params) }),
    ...(searchParams.size > 0 && { query: Object.fromEntries(searchParams) }),
  };
}

const fits = (template: readonly string[], parts: readonly string[]): boolean =>
  template.length === parts.length && template.every((name, at) => name.startsWith('{') || name === parts[at]);

/** The names of properties whose values are secret. */
const SECRET = /secret|token$|password|private_key|signing_key|custom_headers/;

/** Replaces the values of secret properties by `…` while a JSON text is parsed. */
export function masked(name: string, value: unknown): unknown {
  if (!SECRET.test(name)) return value;
  if (typeof value === 'string') return '…';
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.keys(value).map((key) => [key, '…']));
}
