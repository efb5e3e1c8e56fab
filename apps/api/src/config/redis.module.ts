import { parseRedisUrl, RedisConnections } from '@ats/redis-connection';
import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Environment } from './env.js';
import { ENVIRONMENT } from '@ats/nest-app';
import { RedisLink } from './redis-link.js';

/** Longest time in ms that the start of the app waits for the first connection. The app also starts without Redis. */
const FIRST_CONNECTION_MS = 1_000;

@Injectable()
class RedisShutdown implements OnApplicationShutdown {
  constructor(@Inject(RedisLink) private readonly link: RedisLink) {}

  onApplicationShutdown(): void {
    this.link.close();
  }
}

/** Provides the app's connection to Redis, which is closed after the last request. */
@Global()
@Module({
  providers: [
    {
      provide: RedisLink,
      inject: [ENVIRONMENT],
      useFactory: async ({ REDIS_URL }: Environment): Promise<RedisLink> => {
        const link = new RedisLink(new RedisConnections(parseRedisUrl(REDIS_URL)).create({ retries: 0 }));
        await link.connected(FIRST_CONNECTION_MS);
        return link;
      },
    },
    RedisShutdown,
  ],
  exports: [RedisLink],
})
export class RedisModule {}
