/** The metrics that were read from `/metrics` of one or more processes. */
export class ScrapedMetrics {
  /** All time series, each with the values of its labels. */
  readonly #series: readonly { readonly name: string; readonly labels: ReadonlyMap<string, string> }[];
  readonly #declared: ReadonlySet<string>;

  private constructor(texts: readonly string[]) {
    const lines = texts.flatMap((text) => text.split('\n'));
    this.#declared = new Set(
      lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ')[2] ?? ''),
    );
    this.#series = lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => ({
        name: line.slice(0, Math.min(...[line.indexOf('{'), line.indexOf(' ')].filter((index) => index > 0))),
        labels: new Map([...line.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])),
      }));
  }

  static async from(urls: readonly string[]): Promise<ScrapedMetrics> {
    return new ScrapedMetrics(await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text())));
  }

  /** True for a declared metric, even if it has no time series now. */
  has(metric: string): boolean {
    return this.#declared.has(metric) || this.#series.some(({ name }) => name === metric);
  }

  hasLabel(metric: string, label: string): boolean {
    return this.#series.some(({ name, labels }) => name === metric && labels.has(label));
  }

  /** True when a time series of the metric has the label with this value. */
  hasValue(metric: string, label: string, value: string): boolean {
    return this.#series.some(({ name, labels }) => name === metric && labels.get(label) === value);
  }
}
