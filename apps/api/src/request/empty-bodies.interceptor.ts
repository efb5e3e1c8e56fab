import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FastifyRequest } from 'fastify';
import { type Observable } from 'rxjs';
import { z } from 'zod';
import { OPERATION, type OperationDescription } from '../vocabulary/operation.js';
import { parseBody } from './body.js';

const EMPTY = z.strictObject({});

/**
 * Rejects every property of a body when the operation has no body. The body `{}` is accepted. Operations with a body,
 * or with a protocol of their own, check the body themselves.
 * @throws {ValidationError} `invalid` at each property
 * Source: docs/reference/resources.md, "Bodies".
 */
@Injectable()
export class EmptyBodies implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { body } = host.switchToHttp().getRequest<FastifyRequest>();
    if (body === undefined) return next.handle();
    const operation = this.reflector.get<OperationDescription | undefined>(OPERATION, host.getHandler());
    if (operation && !operation.body && !operation.takesQueryInBody && !operation.protocol)
      parseBody(operation.tag, EMPTY, body);
    return next.handle();
  }
}
