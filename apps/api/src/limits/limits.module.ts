import { Global, Module } from '@nestjs/common';
import { type Environment } from '../config/env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { RedisLink } from '../config/redis-link.js';
import { AddressLimit } from './address-limit.js';
import { ConcurrencyLeases } from './concurrency-leases.js';
import { CredentialLimits } from './credential-limits.js';
import { FailureLimit } from './failure-limit.js';
import { defineLimitCommands } from './limit-scripts.js';
import { LIMIT_SETTINGS, limitSettings } from './limit-settings.js';

/** Provides the rate limit, the concurrency limit and the limit of failed authentications. */
@Global()
@Module({
  providers: [
    {
      provide: LIMIT_SETTINGS,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => limitSettings(environment),
    },
    CredentialLimits,
    FailureLimit,
    AddressLimit,
    ConcurrencyLeases,
  ],
  exports: [AddressLimit, CredentialLimits, FailureLimit, LIMIT_SETTINGS],
})
export class LimitsModule {
  constructor(redis: RedisLink) {
    redis.setUp(defineLimitCommands);
  }
}
