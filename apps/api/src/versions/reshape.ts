import { type JsonSchema } from '@ats/domain';
import { type OperationDescription } from '../vocabulary/operation.js';

/** Changes the schema of an operation's answer. */
export const answerWith =
  (change: (schema: JsonSchema) => JsonSchema) =>
  ({ answer, ...operation }: OperationDescription): OperationDescription => ({
    ...operation,
    answer: { ...answer, ...(answer.schema && { schema: { ...answer.schema, schema: change(answer.schema.schema) } }) },
  });

/**
 * Appends notes to the descriptions of an operation's query parameters. @param notes maps the name of a parameter to
 * its note
 */
export const withQueryNotes =
  (notes: Readonly<Record<string, string>>) =>
  ({ query, ...operation }: OperationDescription): OperationDescription => ({
    ...operation,
    ...(query && {
      query: query.map((parameter) => ({
        ...parameter,
        description: [parameter.description, ...[notes[parameter.name] ?? []].flat()].join(' '),
      })),
    }),
  });

/** Applies a change to a body that is an object. Other bodies stay as they are, so that the handler rejects them. */
export const ofObject =
  (change: (object: object) => unknown) =>
  (body: unknown): unknown =>
    typeof body === 'object' && body !== null && !Array.isArray(body) ? change(body) : body;

/** Renames properties and keeps their order. @param names  maps old names to new names */
export function renamed(object: object, names: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const others = new Map(Object.entries(names));
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [others.get(name) ?? name, value as unknown]),
  );
}

/** Copies an object without one property. */
export const without = <Shape extends object, Name extends keyof Shape & string>(
  object: Shape,
  name: Name,
): Omit<Shape, Name> =>
  Object.fromEntries(Object.entries(object).filter(([property]) => property !== name)) as Omit<Shape, Name>;
