import { notificationEndpointsList } from '@ats/client';
import { html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { navigate } from '../app/router.js';
import { api } from '../app/session.js';
import { ViewElement } from '../app/view.js';
import { field } from '../parts/form-field.js';
import { Load } from '../parts/load.js';
import './delivery-log.js';
import { t as titles } from './navigation.js';
import { noEndpoints } from './overview.js';
import { t } from './texts.js';

/** Shows the delivery log of the endpoint that the address names. */
@customElement('ats-delivery-log-view')
export class DeliveryLogView extends ViewElement {
  @state() private endpoint = 0;
  readonly #load = new Load(this, async (signal) => {
    const { data } = await notificationEndpointsList({ client: api(), query: { per_page: 100 }, signal });
    this.endpoint = Number(this.query.get('endpoint') ?? data[0]?.id ?? 0);
    return data;
  });

  protected override render(): TemplateResult {
    return html`
      <h1>${titles('log')}</h1>
      ${this.#load.render((endpoints) =>
        endpoints.length === 0
          ? noEndpoints()
          : html`
              ${field({
                label: t('endpoint'),
                name: 'endpoint',
                value: this.endpoint,
                choices: endpoints.map(({ id, name }) => ({ value: String(id), text: name })),
                onInput: (id) => navigate(`webhooks/log?endpoint=${id}`),
              })}
              <ats-delivery-log .endpoint=${this.endpoint} .status=${this.query.get('status') ?? ''}></ats-delivery-log>
            `,
      )}
    `;
  }
}
