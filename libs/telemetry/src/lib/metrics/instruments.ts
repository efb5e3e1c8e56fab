import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { addCounter, addGauge, type GaugeDescription } from './gauges.js';

/** Makes what counts and measures, under names that all begin alike. */
export class Instruments {
  /** @param prefix  what the names of an app's metrics begin with: `api_` */
  constructor(
    readonly registry: Registry,
    private readonly prefix: string,
  ) {}

  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name: this.prefix + name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Gauge<Label> {
    return new Gauge({ name: this.prefix + name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  histogram<Label extends string>(
    name: string,
    help: string,
    buckets: readonly number[],
    labelNames: readonly Label[] = [],
  ): Histogram<Label> {
    return new Histogram({
      name: this.prefix + name,
      help,
      buckets: [...buckets],
      labelNames: [...labelNames],
      registers: [this.registry],
    });
  }

  /** A gauge that is looked at when somebody asks. */
  seen(description: GaugeDescription): void {
    addGauge(this.registry, { ...description, name: this.prefix + description.name });
  }

  /** The same of what somebody else has counted since the process began: it never falls. */
  seenTotal(description: GaugeDescription): void {
    addCounter(this.registry, { ...description, name: this.prefix + description.name });
  }
}
