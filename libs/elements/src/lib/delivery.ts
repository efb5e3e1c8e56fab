import {
  type Client,
  notificationDeliveriesRedeliver,
  type NotificationExplanation,
  notificationTopicsExplain,
} from '@ats/client';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { resultText } from './attempt-result.js';
import { type LoggedDelivery, readDelivery } from './deliveries.js';
import { logText } from './delivery-texts.js';
import { explanationOf } from './explanation.js';
import { formatNumber, formatTime, type Language } from './languages.js';
import { Load } from './load.js';
import { problemBox } from './problem.js';

const MILLISECONDS: Intl.NumberFormatOptions = { style: 'unit', unit: 'millisecond' };

/**
 * One delivery: its attempts, its message, redelivery and explanation. It renders into the tree of the delivery log,
 * whose style sheets reach it.
 */
export class Delivery extends LitElement {
  @property() language: Language = 'en';
  @property({ attribute: false }) client: Client | undefined;
  @property({ attribute: false }) row: LoggedDelivery | undefined;
  @property({ attribute: false }) isReadOnly = false;
  /** Further content for the row of buttons above the delivery. */
  @property({ attribute: false }) head: unknown;
  @property({ attribute: false }) onError: ((error: unknown) => void) | undefined;
  @state() private isRedelivered = false;
  @state() private error: unknown;
  @state() private explanation: NotificationExplanation | undefined;
  readonly #load = new Load(this, async () => this.client && this.row && readDelivery(this.client, this.row));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    return html`${this.#load.render((delivery) => (delivery ? this.#show(delivery) : ''))}`;
  }

  #show(delivery: LoggedDelivery): TemplateResult {
    const { language } = this;
    return html`
      <div class="actions">
        ${this.isReadOnly ? nothing : html`<button type="button" class="primary" @click=${this.#redeliver}>${logText(language, 'redeliver')}</button>`}
        ${delivery.event_id === null ? nothing : html`<button type="button" @click=${this.#explain}>${logText(language, 'explain')}</button>`}
        ${this.head}
      </div>
      <p role="status">${this.isRedelivered ? logText(language, 'redelivered') : ''}</p>
      ${problemBox(language, this.error)}
      ${this.explanation ? explanationOf(language, this.explanation, delivery.subscriptionId) : nothing}
      <h3>${logText(language, 'attemptCount')}</h3>
      ${delivery.attempts.map(
        (attempt) => html`
          <details class="card" ?open=${attempt === delivery.attempts.at(-1)}>
            <summary>
              ${formatNumber(language, attempt.attempt)}. ${formatTime(language, attempt.at)}
              <span class=${`badge ${attempt.error === null ? 'good' : 'bad'}`}>${resultText(language, attempt)}</span>
              ${attempt.duration_ms === null ? nothing : html`<small>${formatNumber(language, attempt.duration_ms, MILLISECONDS)}</small>`}
            </summary>
            <p><small dir="ltr">${attempt.url}</small></p>
            ${
              attempt.response_excerpt
                ? html`<strong>${logText(language, 'answer')}</strong><pre tabindex="0" dir="ltr">${attempt.response_excerpt}</pre>`
                : nothing
            }
          </details>
        `,
      )}
      <h3>${logText(language, 'message')}</h3>
      <pre tabindex="0" dir="ltr">${delivery.body ?? ''}</pre>
    `;
  }

  readonly #redeliver = async (): Promise<void> => {
    const { client, row } = this;
    if (!client || !row) return;
    const { topicId, subscriptionId, id } = row;
    this.error = undefined;
    try {
      await notificationDeliveriesRedeliver({ client, path: { topicId, subscriptionId, id } });
      this.isRedelivered = true;
      this.dispatchEvent(new Event('redelivered'));
      await this.#load.run();
    } catch (error) {
      this.error = error;
      this.onError?.(error);
    }
  };

  readonly #explain = async (): Promise<void> => {
    const { client, row } = this;
    if (!client || !row || row.event_id === null) return;
    this.error = undefined;
    try {
      const headers = { 'Accept-Language': this.language };
      const call = { client, headers, path: { id: row.topicId }, query: { event_id: row.event_id } };
      this.explanation = (await notificationTopicsExplain(call)).data;
    } catch (error) {
      this.error = error;
      this.onError?.(error);
    }
  };
}
