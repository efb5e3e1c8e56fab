export * from './corpus.js';
export * from './name-server.js';
