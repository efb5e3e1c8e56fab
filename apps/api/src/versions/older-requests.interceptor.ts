import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { from, type Observable, switchMap } from 'rxjs';

/**
 * Makes the request of an older version one of the newest: after it is known to be allowed, before anything else looks at its body, so
 * that an `Idempotency-Key` is about what is done and not about how it was asked for.
 */
@Injectable()
export class OlderRequests implements NestInterceptor {
  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const { media, requestBody } = request.adaptation ?? {};
    if ((!media && !requestBody) || request.body === undefined) return next.handle();
    return from(newestBody(request)).pipe(
      switchMap((body) => {
        request.body = body;
        return next.handle();
      }),
    );
  }
}

async function newestBody({ adaptation, body, headers }: FastifyRequest): Promise<unknown> {
  const { media, requestBody } = adaptation ?? {};
  const read = media && body instanceof Uint8Array ? await media.read(body, headers['content-type'] ?? '') : body;
  return requestBody ? requestBody(read) : read;
}
