import { Global, Module } from '@nestjs/common';
import { Measures } from './metrics.js';

/** Whoever has something to count can be given the measures. */
@Global()
@Module({ providers: [{ provide: Measures, useFactory: () => new Measures() }], exports: [Measures] })
export class MeasuresModule {}
