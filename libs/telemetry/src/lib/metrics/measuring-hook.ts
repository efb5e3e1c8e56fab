import { type Hook, type HookedReply, onceOver, routeOf } from '../hooks.js';
import { type RequestMeasures } from './request-measures.js';

/** An `onRequest` hook that measures every request of a server. To be added before others, so that what they refuse is measured too. */
export const measuringHook =
  (measures: RequestMeasures): Hook =>
  (request, reply, done) => {
    measures.begun();
    const beganAt = performance.now();
    onceOver(reply, (status) =>
      measures.ended({
        method: request.method,
        route: routeOf(request),
        status,
        durationMs: performance.now() - beganAt,
        bytes: bytesOf(reply),
      }),
    );
    done();
  };

/** As Fastify has noted it: the headers of the answer itself are not to be read any more. */
function bytesOf(reply: HookedReply): number {
  const length = Number(reply.getHeader('content-length'));
  return Number.isFinite(length) ? length : 0;
}
