import { isTracing, metricsHook, tracingHooks } from '@ats/telemetry';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type Metrics } from './metrics.js';

/** What watches us comes every few seconds, and tells nobody anything. */
const OF_WATCHERS = /^\/(health\/|metrics$)/;

/** Measures and traces each request. Before all other hooks, so that what those do and refuse is a part of it. */
export function watchRequests(fastify: FastifyInstance, { requests }: Metrics): void {
  fastify.addHook('onRequest', metricsHook(requests));
  if (!isTracing()) return;
  const { onRequest, preValidation } = tracingHooks<FastifyRequest>({
    isTraced: (route) => route === undefined || !OF_WATCHERS.test(route),
    describe: ({ context }) => ({
      'ats.credential.id': context?.actor.credentialId,
      'ats.api.version': context?.version,
    }),
  });
  fastify.addHook('onRequest', onRequest);
  fastify.addHook('preValidation', preValidation);
}
