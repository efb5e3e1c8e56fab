import { createLogger } from '@ats/logging';
import { loadEnvironment } from '../../apps/api/dist/config/env.js';
import { createApp } from '../../apps/api/dist/create-app.js';

/**
 * Starts the API with other options than in production.
 * @param {import('../../apps/api/dist/request/app-options.js').AppOptions} options
 */
export async function startVariant(options) {
  const environment = loadEnvironment();
  const app = await createApp(environment, createLogger({ app: 'api', level: environment.LOG_LEVEL }), options);
  await app.listen(environment.PORT, '127.0.0.1');
}
