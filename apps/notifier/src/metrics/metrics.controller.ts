import { metricsContentType } from '@ats/telemetry';
import { Controller, Get, Header } from '@nestjs/common';
import { Metrics } from '../counters/metrics.js';

@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  /**
   * Returns all metrics in the text format of Prometheus. It answers within a second, even when a server is
   * unavailable.
   */
  @Get()
  @Header('content-type', metricsContentType)
  read(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
