import { message, type Message } from '@ats/message';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FastifyRequest } from 'fastify';
import { isJsonObject } from '../vocabulary/merge-patch.js';
import { limitedProperties, OPERATION, type OperationDescription, type ValueScopes } from '../vocabulary/operation.js';
import {
  allows,
  checkScope,
  FURTHER_SCOPES,
  MissingScope,
  PUBLIC,
  readScopesOfWrite,
  SCOPE,
  type Scope,
} from '../vocabulary/scopes.js';
import { unauthorized } from './context-builder.js';
import { queryOf, READS_QUERY, refuseQuery } from './query.js';
import { type Actor } from './request-context.js';

/**
 * Checks the scope of the credential before any handler runs. Rejects query parameters on routes that take none. Limits
 * the answer of a write when the credential lacks the read scope.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(host: ExecutionContext): boolean {
    const targets = [host.getHandler(), host.getClass()];
    const metadata = <T>(key: string): T | undefined => this.reflector.getAllAndOverride<T | undefined>(key, targets);
    if (metadata<boolean>(PUBLIC)) return true;
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const { context } = request;
    if (!context) throw unauthorized(request.headers);
    const scopes = metadata<readonly Scope[]>(SCOPE);
    if (scopes && !scopes.some((scope) => allows(context.actor.scopes, scope)))
      throw new MissingScope(scopes, missingScopeMessage(scopes));
    for (const scope of metadata<readonly Scope[]>(FURTHER_SCOPES) ?? [])
      checkScope(context.actor.scopes, scope, missingScopeMessage([scope]));
    const operation = metadata<OperationDescription>(OPERATION);
    const ofValues = valueScopesIn(request.body, operation?.body?.valueScopes ?? [], context.actor);
    checkValues(ofValues, context.actor.scopes);
    const shows = [...readScopesOfWrite(scopes ?? []), ...ofValues.flatMap((rule) => rule.shows ?? [])];
    const isLimited = shows.some((scope) => !allows(context.actor.scopes, scope));
    if (isLimited && operation) request.shownProperties = new Set(limitedProperties(operation));
    if (!metadata<boolean>(READS_QUERY)) refuseQuery(queryOf(request), request.routeOptions.url);
    return true;
  }
}

interface SentValue extends ValueScopes {
  readonly value: unknown;
}

/** Returns the values of the body that need scopes, each with its rule. */
const valueScopesIn = (
  body: unknown,
  rules: readonly ValueScopes[],
  { recruiterId }: Pick<Actor, 'recruiterId'>,
): readonly SentValue[] =>
  isJsonObject(body)
    ? rules
        .map((rule) => ({ ...rule, value: body[rule.property] }))
        .filter(({ values, value }) =>
          typeof values === 'function' ? values(value, recruiterId) : values.includes(value),
        )
    : [];

/** Checks the values of a body. @throws {Problem} 403 when a value needs a scope that the credential lacks */
function checkValues(sent: readonly SentValue[], granted: ReadonlySet<string>): void {
  for (const { property, value, needs } of sent)
    if (needs)
      checkScope(
        granted,
        needs,
        message`The credential lacks the scope ${needs}, which ${property} ${String(value)} needs`,
      );
}

const missingScopeMessage = (scopes: readonly Scope[]): Message =>
  scopes.length === 1
    ? message`The credential lacks the scope ${scopes}`
    : message`The credential needs one of the scopes ${scopes}`;
