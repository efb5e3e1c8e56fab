import {
  notificationEndpointsGetTotalMetrics,
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
import { attemptSeries, chartStart, healthBadge, hourLabels, rateSeries } from './health.js';
import { t as titles } from './navigation.js';
import { noEndpoints } from './no-endpoints.js';
import { QUERY, readAll } from './read-all.js';
import { t } from './texts.js';

/** Number of endpoints that the list and the chart of the backlog show. */
const MAX_LISTED = 10;

interface Data {
  readonly endpoints: readonly NotificationEndpoints[];
  readonly metrics: NotificationEndpointMetrics['items'];
}

/** Shows the state of all endpoints on one page. */
@customElement('ats-webhook-overview')
export class WebhookOverview extends ViewElement {
  readonly #load = new Load<Data>(this, async (signal) => {
    const call = { client: api(), query: { bucket: '1h', since_dt: chartStart() }, signal } as const;
    const [all, { data }] = await Promise.all([
      readAll(notificationEndpointsList, { client: api(), signal }),
      notificationEndpointsGetTotalMetrics(call),
    ]);
    const endpoints = all.toSorted((one, other) => other.health.backlog - one.health.backlog);
    return { endpoints, metrics: data.items };
  });

  protected override render(): TemplateResult {
    return html`
      <div class="row">
        <h1>${titles('overview')}</h1>
        <ats-call-button
          .call=${{ method: 'GET', path: '/notification_endpoints', operation: 'notificationEndpointsList', query: QUERY }}
        ></ats-call-button>
      </div>
      ${this.#load.render((data) => (data.endpoints.length === 0 ? noEndpoints() : this.#figures(data)))}
    `;
  }

  #figures({ endpoints, metrics }: Data): TemplateResult {
    const listed = endpoints.slice(0, MAX_LISTED);
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
      <div class="cards">
        <div class="card">
          <ats-chart kind="bar" title=${t('attempts')} .labels=${hourLabels()}
            .series=${attemptSeries(metrics)}></ats-chart>
        </div>
        <div class="card">
          <ats-chart title=${t('successRate')} unit="percent" least="100" .labels=${hourLabels()}
            .series=${rateSeries(metrics)}></ats-chart>
        </div>
        <div class="card">
          <ats-chart kind="bar" title=${t('backlogByEndpoint')} .labels=${listed.map(({ name }) => name)}
            .series=${[{ title: t('backlog'), values: listed.map(({ health }) => health.backlog) }]}></ats-chart>
        </div>
      </div>
      <div class="card">
        <h2>${t('longestBacklogs')}</h2>
        ${listed.map(
          (endpoint) => html`
            <div class="row">
              <a href=${href(`webhooks/endpoints/${endpoint.id}`)}>${endpoint.name}</a>
              <span>${t('backlog')}: ${formatNumber(endpoint.health.backlog)} ${healthBadge(endpoint)}</span>
            </div>
          `,
        )}
      </div>
    `;
  }
}
