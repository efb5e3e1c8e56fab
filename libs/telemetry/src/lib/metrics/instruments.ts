import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** One value of a metric for one combination of labels. */
export interface Sample {
  /** Maps the name of each label to its value. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The number that the metric has for these labels. */
  readonly value: number;
}

/** A metric whose samples are read at each scrape. */
export interface ObservedMetric {
  /** The name of the metric. */
  readonly name: string;
  /** A sentence that explains the metric to operators. */
  readonly help: string;
  /** The names of the labels. */
  readonly labelNames?: readonly string[];
  /**
   * Called for each scrape. It returns no samples when the value is not known, so that the metric is missing instead of
   * wrong.
   */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/** Makes metrics. All their names have the same prefix. */
export class Instruments {
  /** @param prefix  prefix of all metric names of an app, such as `api_` */
  constructor(
    /** The registry that has all metrics. */ readonly registry: Registry,
    private readonly prefix: string,
  ) {}

  /** Registers a counter. */
  counter<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Counter<Label> {
    return new Counter({ name: this.prefix + name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  /** Registers a gauge. */
  gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Gauge<Label> {
    return new Gauge({ name: this.prefix + name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  /** Registers a histogram. */
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

  /** Adds a gauge whose samples are read at each scrape. */
  observedGauge({ name, help, labelNames = [], read }: ObservedMetric): void {
    new Gauge({
      name: this.prefix + name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      async collect() {
        const samples = await read();
        this.reset();
        if (labelNames.length === 0) this.remove(); // `reset()` alone sets a gauge without labels to 0.
        for (const { labels, value } of samples) this.set({ ...labels }, value);
      },
    });
  }

  /** Adds a counter whose totals are read at each scrape. The totals must never decrease while the process runs. */
  observedCounter({ name, help, labelNames = [], read }: ObservedMetric): void {
    new Counter({
      name: this.prefix + name,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      async collect() {
        const samples = await read();
        this.reset();
        for (const { labels, value } of samples) this.inc({ ...labels }, value);
      },
    });
  }
}
