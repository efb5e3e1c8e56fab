import { type JsonSchema } from '@ats/domain';
import { type OperationDescription } from '../vocabulary/operation.js';

/** The schema of an operation's answer as another one. */
export const answerWith =
  (change: (schema: JsonSchema) => JsonSchema) =>
  ({ answer, ...operation }: OperationDescription): OperationDescription => ({
    ...operation,
    answer: { ...answer, ...(answer.schema && { schema: { ...answer.schema, schema: change(answer.schema.schema) } }) },
  });

/** An operation that says more of some parameters of its query, of those that it has. @param notes  by their names */
export const noting =
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

/** A change of objects, for whatever a client may send: what is none is left for the handler to refuse. */
export const ofObject =
  (change: (object: object) => unknown) =>
  (body: unknown): unknown =>
    typeof body === 'object' && body !== null && !Array.isArray(body) ? change(body) : body;

/** The same properties in the same order, some by another name. */
export function renamed(object: object, names: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const others = new Map(Object.entries(names));
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [others.get(name) ?? name, value as unknown]),
  );
}

/** All properties but one. */
export const without = <Shape extends object, Name extends keyof Shape & string>(
  object: Shape,
  name: Name,
): Omit<Shape, Name> =>
  Object.fromEntries(Object.entries(object).filter(([property]) => property !== name)) as Omit<Shape, Name>;
