import { type JsonSchema } from '@ats/domain';
import {
  IDENTITY_PROPERTIES,
  limitedProperties,
  type OperationDescription,
  strictObject,
} from '../vocabulary/operation.js';
import { includingScopes, readScopesOfWrite } from '../vocabulary/scopes.js';
import { type DescribedRoute } from './routes.js';

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Returns the scopes that a route needs, as sentences in Markdown. */
export function accessText({ isPublic, scopes, furtherScopes = [], operation }: DescribedRoute): string {
  if (isPublic) return operation.access ?? 'Needs no credential.';
  if (!scopes) return 'Needs a credential, but no scope.';
  const wide = scopes.flatMap((scope) => includingScopes(scope)).filter((scope) => !scope.startsWith('*'));
  const needed = scopes.map((scope) => `\`${scope}\``).join(' or ');
  const included = wide.length > 0 ? `, which ${quoted(wide)} includes` : '';
  const further = furtherScopes.length > 0 ? ` The answer shows values, which also need ${quoted(furtherScopes)}.` : '';
  return `Needs ${needed}${included}.${further}`;
}

/** True when a client without the read scope gets only a part of the answer. */
export const isLimited = ({ scopes = [], operation }: Pick<DescribedRoute, 'scopes' | 'operation'>): boolean =>
  operation.answer.schema !== undefined &&
  readScopesOfWrite(scopes).length > 0 &&
  Object.keys(propertiesOf(operation.answer)).some((name) => !limitedProperties(operation).includes(name));

const text = (format: string): JsonSchema => ({ type: 'string', format });

/** Schemas of the properties that identify an item of any resource. */
const IDENTITY: Readonly<Record<(typeof IDENTITY_PROPERTIES)[number], JsonSchema>> = {
  id: { type: 'integer', minimum: 1 },
  uuid: text('uuid'),
  url: text('uri'),
  created_dt: text('date-time'),
  updated_dt: text('date-time'),
};

/** Returns the schema of the answer that a client without the read scope gets. */
export function limitedSchema(operation: OperationDescription): JsonSchema | undefined {
  const { answer } = operation;
  const all = propertiesOf(answer);
  const shown = limitedProperties(operation).filter((name) => name in all);
  const identity: Readonly<Record<string, JsonSchema>> = IDENTITY;
  return (
    answer.schema &&
    strictObject(
      Object.fromEntries(shown.map((name) => [name, identity[name] ?? all[name] ?? {}])),
      shown.filter((name) => !requiredIn(answer).includes(name)),
    )
  );
}

/** Name of the schema that has only the `IDENTITY_PROPERTIES`. */
export const ITEM = 'item';

/**
 * Returns the name of the schema of a limited answer, see `limitedSchema`. All limited answers that have only the
 * `IDENTITY_PROPERTIES` share the schema `ITEM`.
 */
export function limitedName(operation: OperationDescription): string {
  const names = Object.keys(limitedSchema(operation)?.['properties'] as object);
  if (names.length === 0) return 'limited_empty';
  const isIdentity = names.join() === IDENTITY_PROPERTIES.join();
  return isIdentity ? ITEM : `${operation.answer.schema?.name ?? ''}_limited`;
}

const propertiesOf = ({ schema }: OperationDescription['answer']): Readonly<Record<string, JsonSchema>> =>
  (schema?.schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined) ?? {};

const requiredIn = ({ schema }: OperationDescription['answer']): readonly string[] =>
  (schema?.schema['required'] as readonly string[] | undefined) ?? [];
