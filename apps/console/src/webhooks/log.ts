import { type DeliveryLog, type LoggedDelivery } from '@ats/elements';
import { notificationEndpointsList, type NotificationEndpoints } from '@ats/client';
import { Load } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { navigate, setQuery } from '../app/router.js';
import { api, hasScope } from '../app/session.js';
import { ViewElement } from '../app/view.js';
import '../parts/call-button.js';
import { type Call } from '../parts/call-button.js';
import '../parts/elements.js';
import { field } from '../parts/form-field.js';
import { logAddress } from './log-address.js';
import { t as titles } from './navigation.js';
import { noEndpoints } from './no-endpoints.js';
import { readAll } from './read-all.js';
import { t } from './texts.js';

/** Shows the delivery log of the endpoint that the address names. */
@customElement('ats-delivery-log-view')
export class DeliveryLogView extends ViewElement {
  /** The id of the endpoint. 0 while no endpoint is chosen. */
  @state() private endpoint = 0;
  readonly #load = new Load(this, async (signal) => {
    const endpoints = await readAll(notificationEndpointsList, { client: api(), signal });
    if (!this.query.has('endpoint')) this.endpoint = endpoints[0]?.id ?? 0;
    return endpoints;
  });

  override connectedCallback(): void {
    // When the address names an endpoint, its log loads at once, before the list of endpoints is loaded.
    this.endpoint = Number(this.query.get('endpoint')) || 0;
    super.connectedCallback();
  }

  protected override render(): TemplateResult {
    const { query } = this;
    return html`
      <div class="row">
        <h1>${titles('log')}</h1>
        ${this.endpoint === 0 ? nothing : html`<ats-call-button .call=${streamOf(this.endpoint)}></ats-call-button>`}
      </div>
      ${this.#load.render((endpoints) => (endpoints.length === 0 ? noEndpoints() : this.#choice(endpoints)))}
      ${
        this.endpoint === 0 || this.#load.data?.length === 0
          ? nothing
          : html`<ats-delivery-log .client=${api()} .language=${this.language} .endpoint=${this.endpoint}
              .status=${query.get('status') ?? ''} .topic=${Number(query.get('topic')) || 0}
              .eventType=${query.get('type') ?? ''} .since=${query.get('since') ?? ''}
              .until=${query.get('until') ?? ''} .delivery=${query.get('delivery') ?? ''}
              .isReadOnly=${!hasScope('notifications:write')} .headOf=${callOf}
              @change=${remember} @opened=${remember}></ats-delivery-log>`
      }
    `;
  }

  #choice(endpoints: readonly NotificationEndpoints[]): TemplateResult {
    const choices = endpoints.map(({ id, name }) => ({ value: String(id), text: name }));
    const isKnown = endpoints.some(({ id }) => id === this.endpoint);
    return field({
      label: t('endpoint'),
      name: 'endpoint',
      value: isKnown ? this.endpoint : '',
      choices: isKnown ? choices : [{ value: '', text: t('chooseEndpoint') }, ...choices],
      onInput: (id) => navigate(logAddress(location.search, id)),
    });
  }
}

/** Writes the conditions and the opened delivery into the address, so that users can share them. */
const remember = (event: Event): void => {
  const { status, topic, eventType, since, until, delivery } = event.currentTarget as DeliveryLog;
  setQuery({ status, topic: topic === 0 ? '' : String(topic), type: eventType, since, until, delivery });
};

/** Returns the call that streams the messages of an endpoint. */
const streamOf = (id: number): Call => ({
  method: 'GET',
  path: `/notification_endpoints/${id}/stream`,
  operation: 'notificationEndpointsStream',
  params: { id },
  isStream: true,
});

/** Renders the button that shows the API call which reads an opened delivery. */
function callOf({ topicId, subscriptionId, id }: LoggedDelivery): TemplateResult {
  const call = {
    method: 'GET',
    path: `/notification_topics/${topicId}/subscriptions/${subscriptionId}/deliveries/${id}`,
    operation: 'notificationDeliveriesGet',
    params: { topicId, subscriptionId, id },
  };
  return html`<ats-call-button .call=${call}></ats-call-button>`;
}
