export { EnvironmentError, readEnvironment, variables } from './config/environment.js';
export { createToken, NO_DIGEST, parseToken, type ParsedToken } from './credential/token.js';
export { ensureBootstrapCredential } from './credential/bootstrap.js';
export { Database, runStatement, type DatabaseOptions, type Transaction } from './database/database.js';
export { EVENT_ROOTS, EVENT_TYPES, type EventSubject, type EventType } from './event/event-types.js';
export { API_PREFIX, resourceUrl, type Collection } from './model/resource-url.js';
