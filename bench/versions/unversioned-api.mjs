import { createLogger } from '@ats/logging';
import { loadEnvironment } from '../../apps/api/dist/config/env.js';
import { createApp } from '../../apps/api/dist/create-app.js';

/** Runs the API without versioning: all requests use the newest version. */
const environment = loadEnvironment();
const app = await createApp(environment, createLogger({ app: 'api', level: environment.LOG_LEVEL }), {
  versioning: false,
});
await app.listen(environment.PORT, '127.0.0.1');
