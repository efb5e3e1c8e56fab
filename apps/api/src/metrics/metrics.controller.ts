import { Controller, Get, Header } from '@nestjs/common';
import { metricsContentType } from '@ats/telemetry';
import { Operation } from '../vocabulary/operation.js';
import { Public } from '../vocabulary/scopes.js';
import { Metrics } from './metrics.js';

@Public()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  /** Answers within a second, even when PostgreSQL or Redis is unavailable. */
  @Get()
  @Header('content-type', metricsContentType)
  @Operation({
    tag: 'health',
    summary: 'Read the metrics of this process',
    description:
      'Metrics in the text format of [Prometheus](https://prometheus.io), about requests, database connections, ' +
      'cached counts, rate limits, the outbox and the process itself. No label identifies a client or an item.',
    takesAnyQuery: true,
    answer: { status: 200, description: 'The metrics.', text: 'text/plain' },
  })
  read(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
