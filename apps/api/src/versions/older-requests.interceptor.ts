import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { from, type Observable, switchMap } from 'rxjs';

/**
 * Converts the body of a request from an older version to the newest version. Runs after authorisation and before all
 * other code that reads the body. The digest for the `Idempotency-Key` therefore does not depend on the version. The
 * handlers of PUT and PATCH convert the bodies of items themselves, because a patch is first applied to the item.
 */
@Injectable()
export class OlderRequests implements NestInterceptor {
  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const { media, requestBody } = request.adaptation ?? {};
    const { convertsBody } = request.routeOptions.config;
    if (convertsBody || (!media && !requestBody) || request.body === undefined) return next.handle();
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
