import { createLogger } from '@ats/logging';
import { loadEnvironment } from '../../apps/api/dist/config/env.js';
import { createApp } from '../../apps/api/dist/create-app.js';

/** Runs the API without the audit log of reads and refusals. */
const environment = loadEnvironment();
const app = await createApp(environment, createLogger({ app: 'api', level: environment.LOG_LEVEL }), {
  isAudited: false,
});
await app.listen(environment.PORT, '127.0.0.1');
