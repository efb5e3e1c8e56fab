import { notificationEndpointsList, type NotificationEndpoints } from '@ats/client';
import { Load } from '@ats/elements/parts';
import { html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { formatNumber, formatPercent } from '../app/i18n.js';
import { href } from '../app/router.js';
import { api } from '../app/session.js';
import { ViewElement } from '../app/view.js';
import '../parts/call-button.js';
import '../parts/elements.js';
import { type Column } from '@ats/elements/parts';
import { healthBadge, milliseconds } from './health.js';
import { t as titles } from './navigation.js';
import { noEndpoints } from './no-endpoints.js';
import { QUERY, readAll } from './read-all.js';
import { t } from './texts.js';

const columns = (): readonly Column<NotificationEndpoints>[] => [
  { title: t('name'), cell: ({ name }) => name },
  { title: t('state'), cell: healthBadge },
  { title: t('backlog'), isNumeric: true, cell: ({ health }) => formatNumber(health.backlog) },
  {
    title: t('successRate'),
    isNumeric: true,
    cell: ({ health: { success_rate_24h: rate } }) => (rate === null ? '–' : formatPercent(rate)),
  },
  { title: t('median'), isNumeric: true, cell: ({ health }) => milliseconds(health.latency_p50_ms) },
  { title: t('p99'), isNumeric: true, cell: ({ health }) => milliseconds(health.latency_p99_ms) },
  { title: t('destination'), cell: ({ destination_url: url }) => html`<span dir="ltr">${url}</span>` },
];

/** Shows all endpoints with their health. */
@customElement('ats-endpoints')
export class Endpoints extends ViewElement {
  readonly #load = new Load(this, (signal) => readAll(notificationEndpointsList, { client: api(), signal }));

  protected override render(): TemplateResult {
    return html`
      <div class="row">
        <h1>${titles('endpoints')}</h1>
        <ats-call-button
          .call=${{ method: 'GET', path: '/notification_endpoints', operation: 'notificationEndpointsList', query: QUERY }}
        ></ats-call-button>
      </div>
      ${this.#load.render((endpoints) =>
        endpoints.length === 0
          ? noEndpoints()
          : html`<ats-data-table .language=${this.language} label=${titles('endpoints')} .columns=${columns()} .rows=${endpoints}
              .hrefOf=${({ id }: NotificationEndpoints) => href(`webhooks/endpoints/${id}`)}></ats-data-table>`,
      )}
    `;
  }
}
