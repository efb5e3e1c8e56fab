import { Inject, Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { OPERATION, type OperationDescription } from '../vocabulary/operation.js';
import { FURTHER_SCOPES, PUBLIC, SCOPE, type Scope } from '../vocabulary/scopes.js';

/** One route of the app, as its decorators describe it. */
export interface DescribedRoute {
  /** Lower-case HTTP method. */
  readonly method: string;
  /** The path, with parameters written as `{name}`. */
  readonly path: string;
  readonly isPublic: boolean;
  /** The current path of the same operation. Present only on older paths. */
  readonly aliasOf?: string;
  /** The credential needs one of these scopes. */
  readonly scopes?: readonly Scope[];
  /** The credential needs all these scopes besides one of `scopes`. */
  readonly furtherScopes?: readonly Scope[];
  readonly operation: OperationDescription;
}

/** True for a POST that takes an `Idempotency-Key`. */
export const isWritingPost = ({ method, operation }: DescribedRoute): boolean =>
  method === 'post' && !operation.takesQueryInBody;

/** The class of a controller. */
interface Named {
  readonly name: string;
  readonly prototype: object;
}

/** The part of Nest's `DiscoveryService` that finds the routes. */
interface Discovery {
  getControllers(): readonly { readonly metatype: Named | null }[];
}

/** Finds every route of the app with its description. */
@Injectable()
export class Routes {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: Discovery,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Returns all routes. @throws {Error} that names every handler without a description */
  all(): readonly DescribedRoute[] {
    const undescribed: string[] = [];
    const routes = this.discovery.getControllers().flatMap(({ metatype }) => {
      if (!metatype) return [];
      const prototype = metatype.prototype as Record<string, object>;
      return this.scanner.getAllMethodNames(prototype).flatMap((name): DescribedRoute[] => {
        const handler = prototype[name];
        const method: unknown = handler && Reflect.getMetadata(METHOD_METADATA, handler);
        if (!handler || typeof method !== 'number') return [];
        const operation = Reflect.getMetadata(OPERATION, handler) as OperationDescription | undefined;
        if (!operation) {
          undescribed.push(`${metatype.name}.${name}`);
          return [];
        }
        const metadata = (key: string): unknown =>
          (Reflect.getMetadata(key, handler) as unknown) ?? Reflect.getMetadata(key, metatype);
        const scopes = metadata(SCOPE);
        const furtherScopes = metadata(FURTHER_SCOPES);
        const [first = '', ...others] = pathsOf(metatype, handler);
        return [first, ...others].map((path) => ({
          method: RequestMethod[method]?.toLowerCase() ?? '',
          path,
          isPublic: metadata(PUBLIC) === true,
          ...(path !== first && { aliasOf: first }),
          ...(Array.isArray(scopes) && { scopes: scopes as readonly Scope[] }),
          ...(Array.isArray(furtherScopes) && { furtherScopes: furtherScopes as readonly Scope[] }),
          operation,
        }));
      });
    });
    if (undescribed.length > 0) throw new Error(`add @Operation to these handlers: ${undescribed.join(', ')}`);
    return routes;
  }
}

function pathsOf(controller: object, handler: object): string[] {
  const below = String(Reflect.getMetadata(PATH_METADATA, handler) ?? '');
  const prefixes = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[]].flat();
  return prefixes.map((prefix) => {
    const path = [prefix, below]
      .map((part) => part.replace(/^\/+|\/+$/g, ''))
      .filter(Boolean)
      .join('/');
    return `/${path}`.replaceAll(/:(\w+)/g, '{$1}');
  });
}
