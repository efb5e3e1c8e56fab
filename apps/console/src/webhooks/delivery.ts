import {
  notificationDeliveriesRedeliver,
  type NotificationExplanation,
  type NotificationExplanationPart,
  notificationTopicsExplain,
} from '@ats/client';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { formatNumber, formatTime } from '../app/i18n.js';
import { api, hasScope } from '../app/session.js';
import { ConsoleElement } from '../app/view.js';
import '../parts/call-button.js';
import { Load } from '../parts/load.js';
import { toast } from '../parts/toast.js';
import { type LoggedDelivery, readDelivery } from './deliveries.js';
import { t } from './texts.js';

/** Shows one delivery: its attempts, its message, its redelivery and its explanation. */
@customElement('ats-delivery')
export class Delivery extends ConsoleElement {
  @property({ attribute: false }) row: LoggedDelivery | undefined;
  @state() private error: unknown;
  @state() private explanation: NotificationExplanation | undefined;
  readonly #load = new Load(this, async () => this.row && readDelivery(this.row));

  protected override render(): TemplateResult {
    return html`${this.#load.render((delivery) => (delivery ? this.#show(delivery) : ''))}`;
  }

  #show(delivery: LoggedDelivery): TemplateResult {
    const { topicId, subscriptionId, id, event_id: eventId } = delivery;
    const path = `/notification_topics/${topicId}/subscriptions/${subscriptionId}/deliveries/${id}`;
    return html`
      <div class="actions">
        ${hasScope('notifications:write') ? html`<button class="primary" @click=${this.#redeliver}>${t('redeliver')}</button>` : nothing}
        ${eventId === null ? nothing : html`<button @click=${this.#explain}>${t('explain')}</button>`}
        <ats-call-button
          .call=${{ method: 'GET', path, operation: 'notificationDeliveriesGet', params: { topicId, subscriptionId, id } }}
        ></ats-call-button>
      </div>
      <ats-problem .error=${this.error}></ats-problem>
      ${this.explanation ? explanationOf(this.explanation) : nothing}
      <h3>${t('attemptCount')}</h3>
      ${delivery.attempts.map(
        (attempt) => html`
          <details class="card" ?open=${attempt === delivery.attempts.at(-1)}>
            <summary>
              ${formatNumber(attempt.attempt)}. ${formatTime(attempt.at)}
              <span class=${`badge ${attempt.error === null ? 'good' : 'bad'}`} dir="ltr">
                ${[attempt.status_code, attempt.error].filter((part) => part !== null).join(' ')}
              </span>
              ${attempt.duration_ms === null ? nothing : html`<small>${formatNumber(attempt.duration_ms)} ms</small>`}
            </summary>
            <p><small dir="ltr">${attempt.url}</small></p>
            ${
              attempt.response_excerpt
                ? html`<strong>${t('answer')}</strong><pre tabindex="0" dir="ltr">${attempt.response_excerpt}</pre>`
                : nothing
            }
          </details>
        `,
      )}
      <h3>${t('message')}</h3>
      <pre tabindex="0" dir="ltr">${delivery.body ?? ''}</pre>
    `;
  }

  readonly #redeliver = async (): Promise<void> => {
    if (!this.row) return;
    const { topicId, subscriptionId, id } = this.row;
    this.error = undefined;
    try {
      await notificationDeliveriesRedeliver({ client: api(), path: { topicId, subscriptionId, id } });
      toast(t('redelivered'));
      this.dispatchEvent(new Event('redelivered'));
      await this.#load.run();
    } catch (error) {
      this.error = error;
    }
  };

  readonly #explain = async (): Promise<void> => {
    const { row } = this;
    if (!row || row.event_id === null) return;
    this.error = undefined;
    try {
      const call = { client: api(), path: { id: row.topicId }, query: { event_id: row.event_id } };
      this.explanation = (await notificationTopicsExplain(call)).data;
    } catch (error) {
      this.error = error;
    }
  };
}

const explanationOf = ({ verdicts }: NotificationExplanation): TemplateResult => html`
  <section class="explanation" aria-label=${t('explanation')}>
    <h3>${t('explanation')}</h3>
    <ol>
      ${verdicts.map(
        ({ ok, info, parts }) => html`
          <li><span aria-hidden="true">${ok === null ? '?' : ok ? '✓' : '✗'}</span> ${info}${parts ? partsOf(parts) : nothing}</li>
        `,
      )}
    </ol>
  </section>
`;

const partsOf = (parts: readonly NotificationExplanationPart[]): TemplateResult => html`
  <ul>
    ${parts.map(
      ({ text, values, result, parts: inner }) => html`
        <li>
          <code dir="ltr">${text}</code>
          <span aria-hidden="true">${result === null ? '?' : result ? '✓' : '✗'}</span>
          <small dir="ltr">${Object.entries(values).map(([path, value]) => `${path} = ${JSON.stringify(value)} `)}</small>
          ${inner ? partsOf(inner) : nothing}
        </li>
      `,
    )}
  </ul>
`;
