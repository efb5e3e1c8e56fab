import { Controller, Get, Header } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Measures } from './measures.js';

@Controller('metrics')
export class MetricsController {
  constructor(private readonly measures: Measures) {}

  /** What this notifier counts and sees, in Prometheus' text format. Answers within 2 s, whatever is away. */
  @Get()
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  metrics(): Promise<string> {
    return this.measures.registry.metrics();
  }
}
