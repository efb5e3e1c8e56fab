import { type NotificationEndpointMetrics, type NotificationEndpoints } from '@ats/client';
import { html, type TemplateResult } from 'lit';
import { formatNumber, formatTime } from '../app/i18n.js';
import { type Series } from '../parts/chart.js';
import { t } from './texts.js';

type Metrics = NotificationEndpointMetrics['items'];

const HOURS = 24;
const HOUR_MS = 3_600_000;
/** Lowest share of successful attempts at which an endpoint is not shown as failing. */
const LEAST_RATE = 0.9;

export function healthBadge({ health }: NotificationEndpoints): TemplateResult {
  const { disabled_dt: disabled, success_rate_1h: lastHour, success_rate_24h: lastDay } = health;
  const rate = lastHour ?? lastDay;
  if (disabled !== null) return html`<span class="badge bad">${t('disabled')}</span>`;
  if (rate === null) return html`<span class="badge calm">${t('unused')}</span>`;
  return rate < LEAST_RATE
    ? html`<span class="badge bad">${t('failing')}</span>`
    : html`<span class="badge good">${t('healthy')}</span>`;
}

export const milliseconds = (value: number | null): string =>
  value === null ? '–' : formatNumber(value, { style: 'unit', unit: 'millisecond' });

/** Returns the start of the 24 hours that the charts show. The last of these hours is the current hour. */
export const chartStart = (): string => new Date(firstHour()).toISOString();

const firstHour = (): number => Math.floor(Date.now() / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;

const hours = (): readonly number[] => Array.from({ length: HOURS }, (_, index) => firstHour() + index * HOUR_MS);

const HOUR: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };

export const hourLabels = (): readonly string[] => hours().map((time) => formatTime(new Date(time), HOUR));

/** Returns one value for each hour of the chart. Hours without attempts are missing in the metrics. */
const byHour = (metrics: Metrics, valueOf: (found: Metrics) => number | null): readonly (number | null)[] =>
  hours().map((hour) => valueOf(metrics.filter(({ from_dt: from }) => Date.parse(from) === hour)));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns the numbers of delivered and failed attempts for each hour, over one or more endpoints. */
export const attemptSeries = (metrics: Metrics): readonly Series[] => [
  { title: t('delivered'), colour: 'good', values: byHour(metrics, (found) => sum(found.map((one) => one.delivered))) },
  {
    title: t('failed'),
    colour: 'bad',
    values: byHour(metrics, (found) => sum(found.flatMap((one) => Object.values(one.failed)))),
  },
];

/** Returns the share of successful attempts in percent for each hour, over one or more endpoints. */
export const rateSeries = (metrics: Metrics): readonly Series[] => [
  {
    title: t('delivered'),
    colour: 'good',
    values: byHour(metrics, (found) => {
      const attempts = sum(found.map((one) => one.attempts));
      return attempts === 0 ? null : (100 * sum(found.map((one) => one.delivered))) / attempts;
    }),
  },
];

export const latencySeries = (metrics: Metrics): readonly Series[] => [
  { title: t('median'), values: byHour(metrics, ([one]) => one?.latency_p50_ms ?? null) },
  { title: t('p99'), values: byHour(metrics, ([one]) => one?.latency_p99_ms ?? null) },
];
