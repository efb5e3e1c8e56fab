import { Counter, Gauge, type Registry } from 'prom-client';

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface GaugeDescription {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Looked at when it is asked for. No samples: not known, and left out, for no number is better than one that is wrong. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

export function addGauge(registry: Registry, { name, help, labelNames = [], read }: GaugeDescription): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const samples = await read();
      this.reset();
      if (labelNames.length === 0) this.remove(); // a gauge without labels is reset to 0
      for (const { labels, value } of samples) this.set({ ...labels }, value);
    },
  });
}

export function addCounter(registry: Registry, { name, help, labelNames = [], read }: GaugeDescription): void {
  new Counter({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const samples = await read();
      this.reset();
      for (const { labels, value } of samples) this.inc({ ...labels }, value);
    },
  });
}
