export { createLogger, type LogFormat, type Logger, type LoggerOptions } from './lib/create-logger.js';
export { sayLastWords } from './lib/last-words.js';
export { NestLogger } from './lib/nest-logger.js';
export { rarely } from './lib/rarely.js';
export { toReadable } from './lib/readable.js';
