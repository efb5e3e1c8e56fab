export { type RedisClient, RedisConnections, type RedisPatience } from './redis-connections.js';
export {
  type Access,
  type ClusterServers,
  parseRedisUrl,
  type RedisHost,
  type RedisServers,
  RedisUrlError,
  type SentinelServers,
  type SingleServer,
} from './redis-url.js';
