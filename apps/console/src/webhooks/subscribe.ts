import {
  type NotificationEndpoints,
  notificationEndpointsGet,
  notificationEndpointsList,
  notificationEndpointsPing,
  notificationSubscriptionsCreate,
  notificationTopicsList,
} from '@ats/client';
import { emptyState, faultAt, Load } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { href } from '../app/router.js';
import { api } from '../app/session.js';
import { ViewElement } from '../app/view.js';
import '../parts/call-button.js';
import { FormEdits } from '../parts/form-edits.js';
import { field, formValues } from '../parts/form-field.js';
import { submitOnce } from '../parts/submit-once.js';
import { toast } from '../parts/toast.js';
import { t as titles } from './navigation.js';
import { readAll } from './read-all.js';
import { t } from './texts.js';
import { VERIFY_PYTHON, VERIFY_TYPESCRIPT } from './verify-samples.js';

interface Subscribed {
  readonly endpointId: number | undefined;
  readonly signingKey: string | null;
}

/** Guides the user through three steps: the destination, the topic, and a test message with code that verifies it. */
@customElement('ats-subscribe')
export class Subscribe extends ViewElement {
  @state() private step = 1;
  @state() private endpoint = '';
  @state() private url = '';
  @state() private topic = '';
  @state() private error: unknown;
  @state() private subscribed: Subscribed | undefined;
  readonly #edits = new FormEdits(this);
  readonly #load = new Load(this, async (signal) => {
    const options = { client: api(), signal };
    const [endpoints, topics] = await Promise.all([
      readAll(notificationEndpointsList, options),
      readAll(notificationTopicsList, options),
    ]);
    await this.#restore(signal);
    if (!topics.some(({ id }) => String(id) === this.topic)) this.topic = String(topics[0]?.id ?? '');
    return { endpoints, topics };
  });

  override get isEdited(): boolean {
    return this.#edits.isEdited;
  }

  protected override render(): TemplateResult {
    return html`
      <div class="row">
        <h1>${titles('subscribe')}</h1>
        <ats-call-button .call=${{
          method: 'POST',
          path: `/notification_topics/${this.topic || 1}/subscriptions`,
          operation: 'notificationSubscriptionsCreate',
          params: { topicId: Number(this.topic || 1) },
          body: this.#body(),
        }}></ats-call-button>
      </div>
      <ol class="steps">
        ${([1, 2, 3] as const).map((step) => html`<li aria-current=${step === this.step ? 'step' : nothing}>${t(`step${step}`)}</li>`)}
      </ol>
      ${this.#load.render(({ endpoints, topics }) => {
        if (topics.length === 0)
          return emptyState(
            t('noTopics'),
            t('noTopicsHelp'),
            html`<a class="button primary" href=${href('webhooks/topics/new')}>${t('newTopic')}</a>`,
          );
        if (this.step === 1) return this.#destination(endpoints);
        return this.step === 2 ? this.#topicStep(topics) : this.#test();
      })}
    `;
  }

  /** Shows the step that the address names. Shows an earlier step when the address lacks data that the step needs. */
  async #restore(signal: AbortSignal): Promise<void> {
    const step = Number(this.query.get('step'));
    this.topic = this.query.get('topic') ?? this.topic;
    const endpoint = this.query.get('endpoint') ?? '';
    if (step === 3 && endpoint !== '') {
      const { data } = await notificationEndpointsGet({ client: api(), path: { id: Number(endpoint) }, signal });
      this.subscribed = { endpointId: data.id, signingKey: 'signing_key' in data ? data.signing_key : null };
      this.step = 3;
      return;
    }
    this.endpoint = endpoint;
    // The URL may contain a secret, so it is in the part of the address that browsers do not send to a server.
    this.url = new URLSearchParams(location.hash.slice(1)).get('destination') ?? '';
    this.step = step === 2 && (this.endpoint !== '' || this.url !== '') ? 2 : 1;
  }

  /** Shows a step, and adds its address to the history of the browser. */
  #goTo(step: number): void {
    this.step = step;
    // The focused button disappears together with its step. Without a new focus, keyboard users would start at the top
    // of the page.
    this.closest<HTMLElement>('main')?.focus();
    const { endpoint, url, topic, subscribed } = this;
    const id = step === 3 ? String(subscribed?.endpointId ?? '') : endpoint;
    const query = new URLSearchParams({ step: String(step), topic, ...(id !== '' && { endpoint: id }) });
    const hash =
      step < 3 && endpoint === '' && url !== '' ? `#${new URLSearchParams({ destination: url }).toString()}` : '';
    history.pushState(null, '', `${href('webhooks/subscribe')}?${query.toString()}${hash}`);
  }

  #body(): { endpoint_id: number } | { destination_url: string } {
    return this.endpoint === '' ? { destination_url: this.url } : { endpoint_id: Number(this.endpoint) };
  }

  #destination(endpoints: readonly NotificationEndpoints[]): TemplateResult {
    const next = (event: SubmitEvent): void => {
      event.preventDefault();
      this.url = formValues(event.target as HTMLFormElement)['destination_url'] ?? '';
      this.#goTo(2);
    };
    return html`<form class="card" @submit=${next}>
      ${field({
        label: t('endpoint'),
        name: 'endpoint_id',
        value: this.endpoint,
        error: this.error,
        choices: [
          { value: '', text: t('newEndpoint') },
          ...endpoints.map(({ id, name }) => ({ value: String(id), text: name })),
        ],
        onInput: (value) => (this.endpoint = value),
      })}
      ${
        this.endpoint === ''
          ? field({
              label: t('destination'),
              name: 'destination_url',
              type: 'url',
              value: this.url,
              isRequired: true,
              help: t('destinationHelp'),
              error: this.error,
              onInput: (value) => (this.url = value),
            })
          : nothing
      }
      <button class="primary">${t('next')}</button>
    </form>`;
  }

  #topicStep(topics: readonly { readonly id: number; readonly name: string }[]): TemplateResult {
    return html`<form class="card" @submit=${this.#subscribe}>
      ${field({
        label: t('topic'),
        name: 'topic',
        value: this.topic,
        choices: topics.map(({ id, name }) => ({ value: String(id), text: name })),
        onInput: (value) => (this.topic = value),
      })}
      <ats-problem .error=${this.error}></ats-problem>
      <div class="actions">
        <button class="primary">${t('subscribe')}</button>
        <button type="button" @click=${() => this.#goTo(1)}>${t('back')}</button>
      </div>
    </form>`;
  }

  #test(): TemplateResult {
    const { endpointId, signingKey } = this.subscribed ?? { endpointId: undefined, signingKey: null };
    const ping = async (): Promise<void> => {
      this.error = undefined;
      try {
        await notificationEndpointsPing({ client: api(), path: { id: Number(endpointId) } });
        toast(t('pinged'));
      } catch (error) {
        this.error = error;
      }
    };
    return html`<div class="card">
      <p role="status"><strong>${t('subscribed')}</strong></p>
      <dl><dt>${t('signingKey')}</dt><dd><code dir="ltr">${signingKey ?? t('hidden')}</code></dd></dl>
      <ats-problem .error=${this.error}></ats-problem>
      ${
        endpointId === undefined
          ? nothing
          : html`<div class="actions">
              <button class="primary" @click=${ping}>${t('ping')}</button>
              <a class="button" href=${href(`webhooks/log?endpoint=${endpointId}`)}>${t('openLog')}</a>
            </div>`
      }
      <h2>${t('verify')}</h2>
      <h3>TypeScript</h3>
      <pre tabindex="0" dir="ltr">${VERIFY_TYPESCRIPT}</pre>
      <h3>Python</h3>
      <pre tabindex="0" dir="ltr">${VERIFY_PYTHON}</pre>
    </div>`;
  }

  readonly #subscribe = submitOnce(async () => {
    this.error = undefined;
    try {
      const path = { topicId: Number(this.topic) };
      const { data } = await notificationSubscriptionsCreate({ client: api(), path, body: this.#body() });
      this.subscribed = {
        endpointId: 'endpoint' in data ? data.endpoint?.id : undefined,
        signingKey: data.signing_key,
      };
      this.#goTo(3);
    } catch (error) {
      this.error = error;
      // Goes back to the destination step, because its fields show these violations.
      if (faultAt(error, '/destination_url') ?? faultAt(error, '/endpoint_id')) this.#goTo(1);
    }
  });
}
