import { startApp } from '@ats/nest-app';
import { configuration } from './config/env.js';
import { createApp } from './create-app.js';

/** Starts the API. Resolves when it listens. Ends the process when it cannot start. */
export const start = (): Promise<void> =>
  startApp({
    configuration,
    create: (environment, log, certificate) => createApp(environment, log, { certificate }),
    port: ({ PORT }) => PORT,
  });
