import { Get, HttpCode, Post } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ReadsQuery } from '../request/query.js';
import { Operation, type OperationDescription } from '../vocabulary/operation.js';
import { RequiresScope, type Scope } from '../vocabulary/scopes.js';
import { QUERY_PATH } from './given-parameters.js';
import { STORED_QUERY_PARAMETER } from './page-parameters.js';

type Handler = (...parameters: unknown[]) => unknown;
type Described = Pick<OperationDescription, 'tag' | 'summary' | 'description'> &
  Required<Pick<OperationDescription, 'query'>>;

export interface ListOptions extends Described {
  /** Path of the list below the path of the controller. Defaults to the controller's own path. */
  readonly path?: string;
  readonly scope: Scope;
  /** Further decorators, such as guards, for the routes `GET <path>` and `POST <path>/query`. */
  readonly decorators?: readonly MethodDecorator[];
  /** Describes the answer. */
  readonly answer?: string;
  /** False for a list that clients cannot export. Defaults to true. */
  readonly isExported?: boolean;
  /** The schema of one item. */
  readonly schema: NonNullable<OperationDescription['answer']['schema']>;
}

/**
 * Makes a handler serve the list of a collection at two routes: `GET <path>`, and `POST <path>/query` with the same
 * parameters in the body.
 * Source: docs/reference/paging.md, "Long queries".
 */
export function ListOperation({
  path = '',
  scope,
  decorators = [],
  answer,
  schema,
  isExported = true,
  ...described
}: ListOptions): MethodDecorator {
  const operation: OperationDescription = {
    ...described,
    query: [...described.query, STORED_QUERY_PARAMETER],
    answer: {
      status: 200,
      description: answer ?? 'A page of items, or an export.',
      isExported,
      schema: { ...schema, isList: true },
      headers: ['Link', 'X-Total-Count'],
    },
  };
  return (target, name, descriptor) => {
    apply(
      [Get(path), RequiresScope(scope), ReadsQuery(), Operation(operation), ...decorators],
      target,
      name,
      descriptor,
    );
    const byBody = `${String(name)}ByBody`;
    addMethod(target, byBody, function (this: Record<PropertyKey, Handler>, ...parameters) {
      return this[name]?.(...parameters);
    });
    // Nest stores the parameters of a handler under the name of the handler. The second handler has another name, so
    // the parameters are copied to that name.
    copyMetadata(ROUTE_ARGS_METADATA, target.constructor, name, byBody);
    copyMetadata('design:paramtypes', target, name, byBody);
    apply(
      [
        Post([path, QUERY_PATH].filter(Boolean).join('/')),
        HttpCode(200),
        RequiresScope(scope),
        ReadsQuery(),
        Operation(byBodyOf(operation)),
        ...decorators,
      ],
      target,
      byBody,
      Object.getOwnPropertyDescriptor(target, byBody),
    );
  };
}

const byBodyOf = (operation: OperationDescription): OperationDescription => ({
  ...operation,
  summary: `${operation.summary}, with the parameters in the body`,
  takesQueryInBody: true,
});

function apply(
  decorators: readonly MethodDecorator[],
  target: object,
  name: string | symbol,
  descriptor: PropertyDescriptor | undefined,
): void {
  if (!descriptor) throw new Error(`@ListOperation can only be written on a method: ${String(name)} is none`);
  for (const decorate of decorators) decorate(target, name, descriptor);
}

const addMethod = (target: object, name: string, value: Handler): void =>
  void Object.defineProperty(target, name, { value, configurable: true, writable: true });

function copyMetadata(key: string, target: object, from: string | symbol, to: string): void {
  const value: unknown = Reflect.getMetadata(key, target, from);
  if (value !== undefined) Reflect.defineMetadata(key, value, target, to);
}
