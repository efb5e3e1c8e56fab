import { metricsContentType } from '@ats/telemetry';
import { Controller, Get, Header } from '@nestjs/common';
import { Measures } from '../counters/metrics.js';

@Controller('metrics')
export class MetricsController {
  constructor(private readonly measures: Measures) {}

  /** What this notifier counts and sees, in Prometheus' text format. Answers within a second, whatever is away. */
  @Get()
  @Header('content-type', metricsContentType)
  metrics(): Promise<string> {
    return this.measures.registry.metrics();
  }
}
