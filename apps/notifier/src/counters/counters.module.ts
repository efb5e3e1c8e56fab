import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.js';

@Global()
@Module({ providers: [{ provide: Metrics, useFactory: () => new Metrics() }], exports: [Metrics] })
export class CountersModule {}
