import { startApp } from '@ats/nest-app';
import { configuration } from './config/env.js';
import { createApp } from './create-app.js';

/** Resolves when the API listens; ends the process when it cannot. */
export const start = (): Promise<void> => startApp({ configuration, create: createApp, port: ({ PORT }) => PORT });
