import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export const metricName = (name: string): string => `ats_notifier_${name}`;

/** Makes what counts and measures, under the names that all metrics of this app have. */
export class Instruments {
  constructor(readonly registry: Registry) {}

  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name: metricName(name), help, labelNames: [...labelNames], registers: [this.registry] });
  }

  gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Gauge<Label> {
    return new Gauge({ name: metricName(name), help, labelNames: [...labelNames], registers: [this.registry] });
  }

  histogram(name: string, help: string, buckets: readonly number[]): Histogram {
    return new Histogram({ name: metricName(name), help, buckets: [...buckets], registers: [this.registry] });
  }
}
