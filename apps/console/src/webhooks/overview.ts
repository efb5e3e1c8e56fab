import { notificationEndpointsList } from '@ats/client';
import { html, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { formatNumber } from '../app/i18n.js';
import { api } from '../app/session.js';
import { ViewElement } from '../app/view.js';
import '../parts/call-button.js';
import { Load } from '../parts/load.js';
import { t as titles } from './navigation.js';
import { t } from './texts.js';

/** The state of all endpoints on one page. */
@customElement('ats-webhook-overview')
export class WebhookOverview extends ViewElement {
  readonly #endpoints = new Load(
    this,
    async (signal) => (await notificationEndpointsList({ client: api(), signal })).data,
  );

  protected override render(): TemplateResult {
    return html`
      <div class="row"><h1>${titles('overview')}</h1>
        <ats-call-button .call=${{ method: 'GET', path: '/notification_endpoints', operation: 'notificationEndpointsList' }}></ats-call-button>
      </div>
      ${this.#endpoints.render(
        (endpoints) => html`<div class="figures">
          <div class="card figure">${t('endpointCount')}<b>${formatNumber(endpoints.length)}</b></div>
        </div>`,
      )}
    `;
  }
}
