import {
  notificationEndpointsGetMetrics,
  notificationEndpointsList,
  type NotificationEndpointMetrics,
  type NotificationEndpoints,
} from '@ats/client';
import { Load } from '@ats/elements/parts';
import { html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { formatNumber, formatPercent } from '../app/i18n.js';
import { href } from '../app/router.js';
import { api } from '../app/session.js';
import { ViewElement } from '../app/view.js';
import '../parts/call-button.js';
import '../parts/chart.js';
import { attemptSeries, chartStart, healthBadge, hourLabels } from './health.js';
import { t as titles } from './navigation.js';
import { noEndpoints } from './no-endpoints.js';
import { t } from './texts.js';

/** Maximum number of endpoints whose attempts the chart adds up. It chooses those with the longest backlog. */
const MAX_CHARTED = 10;

interface Data {
  readonly endpoints: readonly NotificationEndpoints[];
  readonly metrics: NotificationEndpointMetrics['items'];
}

/** Shows the state of all endpoints on one page. */
@customElement('ats-webhook-overview')
export class WebhookOverview extends ViewElement {
  readonly #load = new Load<Data>(this, async (signal) => {
    const { data } = await notificationEndpointsList({ client: api(), query: { per_page: 100 }, signal });
    const endpoints = data.toSorted((one, other) => other.health.backlog - one.health.backlog);
    const metrics = await Promise.all(
      endpoints.slice(0, MAX_CHARTED).map(async ({ id }) => {
        const query = { bucket: '1h', since_dt: chartStart() } as const;
        return (await notificationEndpointsGetMetrics({ client: api(), path: { id }, query, signal })).data.items;
      }),
    );
    return { endpoints, metrics: metrics.flat() };
  });

  protected override render(): TemplateResult {
    return html`
      <div class="row">
        <h1>${titles('overview')}</h1>
        <ats-call-button
          .call=${{ method: 'GET', path: '/notification_endpoints', operation: 'notificationEndpointsList', query: { per_page: 100 } }}
        ></ats-call-button>
      </div>
      ${this.#load.render((data) => (data.endpoints.length === 0 ? noEndpoints() : this.#figures(data)))}
    `;
  }

  #figures({ endpoints, metrics }: Data): TemplateResult {
    const attempts = metrics.reduce((sum, one) => sum + one.attempts, 0);
    const delivered = metrics.reduce((sum, one) => sum + one.delivered, 0);
    return html`
      <div class="figures">
        <div class="card figure">${t('endpointCount')}<b>${formatNumber(endpoints.length)}</b></div>
        <div class="card figure">
          ${t('backlogOf')}<b>${formatNumber(endpoints.reduce((sum, { health }) => sum + health.backlog, 0))}</b>
        </div>
        <div class="card figure">${t('successRate')}<b>${attempts === 0 ? '–' : formatPercent(delivered / attempts)}</b></div>
      </div>
      <div class="card">
        <ats-chart kind="bar" title=${t('attempts')} .labels=${hourLabels()}
          .series=${attemptSeries(metrics)}></ats-chart>
      </div>
      <div class="card">
        <h2>${titles('endpoints')}</h2>
        ${endpoints.slice(0, MAX_CHARTED).map(
          (endpoint) => html`
            <p class="row">
              <a href=${href(`webhooks/endpoints/${endpoint.id}`)}>${endpoint.name}</a>
              <span>${t('backlog')}: ${formatNumber(endpoint.health.backlog)} ${healthBadge(endpoint)}</span>
            </p>
          `,
        )}
      </div>
    `;
  }
}
