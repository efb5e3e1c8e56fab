import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { formatNumber, formatTime } from '../app/i18n.js';
import { setQuery } from '../app/router.js';
import { ConsoleElement } from '../app/view.js';
import '../parts/data-table.js';
import { type Column } from '../parts/data-table.js';
import { dialog } from '../parts/dialog.js';
import { emptyState } from '../parts/empty-state.js';
import { field } from '../parts/form-field.js';
import { Load } from '../parts/load.js';
import { followMessages, type LoggedDelivery, readDeliveries, type Status } from './deliveries.js';
import './delivery.js';
import { t } from './texts.js';

const STATES = ['due', 'sending', 'delivered', 'held', 'exhausted', 'cancelled'] as const;
/** Time in ms for which events are collected before the log is read once for all of them. */
const GATHER_MS = 500;
/** Time in ms after which deliveries that have not ended are read again. */
const UNFINISHED_MS = 2_000;

export const statusBadge = (status: Status): TemplateResult => {
  const tone = status === 'delivered' ? 'good' : status === 'exhausted' ? 'bad' : 'calm';
  return html`<span class=${`badge ${tone}`} data-status=${status}>${t(`status.${status}`)}</span>`;
};

export const resultOf = ({ attempts }: LoggedDelivery): string => {
  const last = attempts.at(-1);
  return last ? [last.status_code, last.error].filter((part) => part !== null).join(' ') : '–';
};

const columns = (): readonly Column<LoggedDelivery>[] => [
  { title: t('time'), cell: ({ occurred_dt: time }) => formatTime(time) },
  { title: t('state'), cell: ({ status }) => statusBadge(status) },
  { title: t('topic'), cell: ({ topicName }) => topicName },
  { title: t('attemptCount'), isNumeric: true, cell: ({ attempts }) => formatNumber(attempts.length) },
  { title: t('result'), cell: (row) => html`<span dir="ltr">${resultOf(row)}</span>` },
];

/** Shows the deliveries of one endpoint, newest first. New deliveries appear without a reload. */
@customElement('ats-delivery-log')
export class DeliveryLog extends ConsoleElement {
  @property({ type: Number }) endpoint = 0;
  @property() status = '';
  @state() private isLive = false;
  @state() private opened: LoggedDelivery | undefined;
  #abort: AbortController | undefined;
  #timer = 0;
  #due = 0;
  readonly #load = new Load(this, async (signal) => {
    const deliveries = await readDeliveries(this.endpoint, (this.status || undefined) as Status | undefined, signal);
    if (deliveries.some(({ status }) => status === 'due' || status === 'sending')) this.#loadIn(UNFINISHED_MS);
    return deliveries;
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.#abort = new AbortController();
    void followMessages(this.endpoint, {
      signal: this.#abort.signal,
      onMessage: () => this.#loadIn(GATHER_MS),
      onState: (isConnected) => (this.isLive = isConnected),
    });
  }

  override disconnectedCallback(): void {
    this.#abort?.abort();
    clearTimeout(this.#timer);
    this.#timer = 0;
    super.disconnectedCallback();
  }

  protected override render(): TemplateResult {
    return html`
      <div class="row">
        ${field({
          label: t('state'),
          name: 'status',
          value: this.status,
          choices: [
            { value: '', text: t('allStates') },
            ...STATES.map((value) => ({ value, text: t(`status.${value}`) })),
          ],
          onInput: this.#filter,
        })}
        <span class=${`badge ${this.isLive ? 'good' : 'calm'}`}
          role="status">${this.isLive ? t('live') : t('notLive')}</span>
      </div>
      ${this.#load.render((rows) =>
        rows.length === 0
          ? emptyState(t('noDeliveries'), t('noDeliveriesHelp'))
          : html`<ats-data-table label=${t('openLog')} .columns=${columns()} .rows=${rows}
              .open=${(row: LoggedDelivery) => (this.opened = row)}></ats-data-table>`,
      )}
      ${
        this.opened
          ? dialog({
              title: t('delivery', { id: String(this.opened.id) }),
              close: () => (this.opened = undefined),
              content: html`<ats-delivery .row=${this.opened}
                @redelivered=${() => void this.#load.run()}></ats-delivery>`,
            })
          : nothing
      }
    `;
  }

  readonly #filter = (status: string): void => {
    this.status = status;
    setQuery({ status });
    void this.#load.run();
  };

  /** Reads the log after some time. Several calls lead to one read. No call aborts a running read. */
  #loadIn(ms: number): void {
    const due = performance.now() + ms;
    if (this.#timer !== 0 && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = window.setTimeout(() => {
      this.#timer = 0;
      if (this.#load.isLoading) this.#loadIn(GATHER_MS);
      else void this.#load.run();
    }, ms);
  }
}
