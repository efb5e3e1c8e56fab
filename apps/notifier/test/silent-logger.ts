import { createLogger } from '../src/logging/logger.js';

export const silentLogger = createLogger('silent');
