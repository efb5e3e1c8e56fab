import { findResource } from '@ats/domain';
import { type DescribedRoute } from './routes.js';

const VERBS: Readonly<Record<string, string>> = { put: 'replace', patch: 'patch', delete: 'delete' };

/**
 * Returns the id of an operation, `<tag>.<action>`. The action follows from the path, the method and the answer, unless
 * the operation declares an `action`.
 * Source: docs/reference/api-operations.md.
 */
export function operationIdOf(route: DescribedRoute): string {
  const { tag, action = actionOf(route) } = route.operation;
  return `${tag}.${action}`;
}

function actionOf({ method, path, operation }: DescribedRoute): string {
  const parts = path
    .replace(/^\/api\/v1\//, '')
    .split('/')
    .filter(Boolean);
  const rest = parts.slice(parts.findLastIndex((part) => isCollection(operation.tag, part)) + 1);
  const names = rest.filter((part) => !part.startsWith('{')).map((part) => part.replaceAll(/\W+/g, '_'));
  const last = names.at(-1);
  if (method === 'post') return last === undefined ? 'create' : [last, ...names.slice(0, -1)].join('_');
  const isList = rest.length === 0 || operation.answer.schema?.isList === true;
  const verb = VERBS[method] ?? (isList ? 'list' : 'get');
  return [verb, ...names].join('_');
}

/**
 * True when a part of a path names the collection of a tag. For example, `vacancy_applications` names the collection of
 * the tag `applications`.
 */
const isCollection = (tag: string, part: string): boolean =>
  part === tag || tag.endsWith(`_${part}`) || findResource(tag)?.paths[0] === part;
