import { type Logger } from '@ats/logging';
import { parseRedisUrl, RedisConnections } from '@ats/redis-connection';
import { Global, Module } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { LOGGER } from '../config/logger.js';
import { RedisCircuitBreaker } from './redis-circuit-breaker.js';

@Global()
@Module({
  providers: [
    {
      provide: RedisConnections,
      inject: [ENVIRONMENT],
      useFactory: ({ REDIS_URL }: Environment) => new RedisConnections(parseRedisUrl(REDIS_URL)),
    },
    { provide: RedisCircuitBreaker, inject: [LOGGER], useFactory: (logger: Logger) => new RedisCircuitBreaker(logger) },
  ],
  exports: [RedisConnections, RedisCircuitBreaker],
})
export class RedisModule {}
