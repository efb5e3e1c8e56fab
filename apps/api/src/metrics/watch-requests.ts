import { isTracing, metricsHook, tracingHooks } from '@ats/telemetry';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type Metrics } from './metrics.js';

/** Routes that monitoring calls every few seconds. They are not traced, because nobody reads such traces. */
const MONITORING_ROUTES = /^\/(health\/|metrics$)/;

/**
 * Measures and traces each request. Must be called before other hooks are added, so that the measured time includes
 * them.
 */
export function watchRequests(fastify: FastifyInstance, { requests }: Metrics): void {
  fastify.addHook('onRequest', metricsHook(requests));
  if (!isTracing()) return;
  const { onRequest, preValidation } = tracingHooks<FastifyRequest>({
    isTraced: (route) => route === undefined || !MONITORING_ROUTES.test(route),
    describe: ({ id, context }) => ({
      'ats.request.id': id,
      'ats.credential.id': context?.actor.credentialId,
      'ats.api.version': context?.version,
    }),
  });
  fastify.addHook('onRequest', onRequest);
  fastify.addHook('preValidation', preValidation);
}
