import { html, nothing, svg, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatNumber } from '../app/i18n.js';
import { t } from '../app/texts.js';
import { ConsoleElement } from '../app/view.js';

/** One line of the chart, or the part of each bar that belongs to one title. */
export interface Series {
  readonly title: string;
  /** The values, one for each label. Null leaves a gap. */
  readonly values: readonly (number | null)[];
  readonly colour?: 'good' | 'bad' | 'first' | 'second';
}

const [WIDTH, HEIGHT] = [600, 160];
const COLOURS = ['first', 'second', 'good', 'bad'] as const;

/**
 * A small SVG chart with lines or stacked bars. A table below it has the same values for screen readers and everybody
 * else.
 */
@customElement('ats-chart')
export class Chart extends ConsoleElement {
  @property() override title = '';
  @property() kind: 'line' | 'bar' = 'line';
  /** The least value at the top of the chart. It is positive, so that an empty chart has a height, too. */
  @property({ type: Number }) least = 1;
  /** A unit of `Intl.NumberFormat`, such as `millisecond`. */
  @property() unit = '';
  @property({ attribute: false }) labels: readonly string[] = [];
  @property({ attribute: false }) series: readonly Series[] = [];

  protected override render(): TemplateResult {
    const top = this.#top();
    return html`
      <figure class="chart">
        <figcaption>${this.title}<span class="legend">
          ${this.series.map((one, index) => html`<span class=${`key ${colourOf(one, index)}`}>${one.title}</span>`)}
        </span></figcaption>
        <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${this.title} preserveAspectRatio="none">
          ${[0.25, 0.5, 0.75, 1].map((part) => svg`<line class="grid" x1="0" x2=${WIDTH} y1=${HEIGHT * (1 - part) + 1} y2=${HEIGHT * (1 - part) + 1} />`)}
          ${this.kind === 'line' ? this.#lines(top) : this.#bars(top)}
        </svg>
        <div class="axis"><bdi>${this.labels[0] ?? ''}</bdi><bdi>${this.#maximum()}</bdi><bdi>${this.labels.slice(1).at(-1) ?? ''}</bdi></div>
        <details>
          <summary>${t('chart.table', { title: this.title })}</summary>
          <div class="values" role="region" tabindex="0"
            aria-label=${t('chart.table', { title: this.title })}>${this.#table()}</div>
        </details>
      </figure>
    `;
  }

  #maximum(): string {
    const unit: Intl.NumberFormatOptions = this.unit === '' ? {} : { style: 'unit', unit: this.unit };
    return t('chart.maximum', { value: formatNumber(this.#largest(), unit) });
  }

  /** Returns the value at the top of the chart. */
  #top(): number {
    return Math.max(this.least, this.#largest());
  }

  /** Returns the largest value of all lines or, for stacked bars, the largest sum of one bar. */
  #largest(): number {
    const columns = this.labels.map((_, index) => this.series.map(({ values }) => values[index] ?? 0));
    const sums = columns.map((column) =>
      this.kind === 'bar' ? column.reduce((sum, value) => sum + value, 0) : Math.max(0, ...column),
    );
    return Math.max(0, ...sums);
  }

  #lines(top: number): unknown {
    const step = WIDTH / Math.max(1, this.labels.length - 1);
    return this.series.map((one, index) => {
      const colour = colourOf(one, index);
      const place = (value: number, at: number): string =>
        `${(at * step).toFixed(1)} ${(HEIGHT - (value / top) * (HEIGHT - 8) - 4).toFixed(1)}`;
      return runsOf(one.values).map(({ from, values }) => {
        const [first = 0, ...others] = values;
        const path = `M${place(first, from)}${others.map((value, at) => `L${place(value, from + at + 1)}`).join('')}`;
        return others.length > 0
          ? svg`<path class=${`line ${colour}`} d=${path} />`
          : svg`<path class=${`line point ${colour}`} d=${`${path}h0.01`} />`;
      });
    });
  }

  #bars(top: number): unknown {
    const step = WIDTH / Math.max(1, this.labels.length);
    return this.labels.map((_, at) => {
      let below = 0;
      return this.series.map((one, index) => {
        const height = ((one.values[at] ?? 0) / top) * (HEIGHT - 4);
        below += height;
        return height > 0
          ? svg`<rect class=${colourOf(one, index)} x=${at * step + step * 0.1} y=${HEIGHT - below} width=${step * 0.8} height=${height} />`
          : nothing;
      });
    });
  }

  #table(): TemplateResult {
    return html`
      <table>
        <thead><tr><td></td>${this.series.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
        <tbody>
          ${this.labels.map(
            (label, at) =>
              html`<tr><th scope="row">${label}</th>${this.series.map(({ values }) => html`<td class="number">${show(values[at])}</td>`)}</tr>`,
          )}
        </tbody>
      </table>
    `;
  }
}

/** Splits the values of a line at its gaps. A single value between two gaps is drawn as a point. */
function runsOf(values: readonly (number | null)[]): readonly { from: number; values: number[] }[] {
  const runs: { from: number; values: number[] }[] = [];
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    if (at === 0 || values[at - 1] === null) runs.push({ from: at, values: [] });
    runs.at(-1)?.values.push(value);
  }
  return runs;
}

const colourOf = ({ colour }: Series, index: number): string => colour ?? COLOURS[index % COLOURS.length] ?? 'first';
const show = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : formatNumber(value);
