import { createLogger } from '@ats/logging';
import { loadEnvironment } from '../../apps/api/dist/config/env.js';
import { createApp } from '../../apps/api/dist/create-app.js';
import { CountCache } from '../../apps/api/dist/collections/count-cache.js';

/** Runs the API without counts of collections. */
const environment = loadEnvironment();
const app = await createApp(environment, createLogger({ app: 'api', level: environment.LOG_LEVEL }));
app.get(CountCache).count = () => Promise.resolve(undefined);
await app.listen(environment.PORT, '127.0.0.1');
