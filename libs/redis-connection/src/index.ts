export { type RedisClient, RedisConnections } from './redis-connections.js';
export { parseRedisUrl, RedisUrlError } from './redis-url.js';
export { redisVariables } from './redis-variables.js';
