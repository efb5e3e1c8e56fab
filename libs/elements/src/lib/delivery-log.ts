import { type Client } from '@ats/client';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type Column } from './data-table.js';
import { followMessages, type LoggedDelivery, readDeliveries, type Status } from './deliveries.js';
import { logText } from './delivery-texts.js';
import { dialog } from './dialog.js';
import { CONNECTION, EmbeddedElement } from './embedded-element.js';
import { emptyState } from './empty-state.js';
import { directionOf, formatNumber, formatTime, type Language } from './languages.js';
import { Load } from './load.js';
import { logStyles } from './log-styles.js';
import { partStyles } from './part-styles.js';

const STATES = ['due', 'sending', 'delivered', 'held', 'exhausted', 'cancelled'] as const;
/** Time in ms for which events are collected before the log is read once for all of them. */
const GATHER_MS = 500;
/** Time in ms after which deliveries that have not ended are read again. */
const UNFINISHED_MS = 2_000;

const statusBadge = (language: Language, status: Status): TemplateResult => {
  const tone = status === 'delivered' ? 'good' : status === 'exhausted' ? 'bad' : 'calm';
  return html`<span class=${`badge ${tone}`} data-status=${status}>${logText(language, `status.${status}`)}</span>`;
};

const resultOf = ({ attempts }: LoggedDelivery): string => {
  const last = attempts.at(-1);
  return last ? [last.status_code, last.error].filter((part) => part !== null).join(' ') : '–';
};

const columnsIn = (language: Language): readonly Column<LoggedDelivery>[] => [
  { title: logText(language, 'time'), cell: ({ occurred_dt: time }) => formatTime(language, time) },
  { title: logText(language, 'state'), cell: ({ status }) => statusBadge(language, status) },
  { title: logText(language, 'topic'), cell: ({ topicName }) => topicName },
  {
    title: logText(language, 'attemptCount'),
    isNumeric: true,
    cell: ({ attempts }) => formatNumber(language, attempts.length),
  },
  { title: logText(language, 'result'), cell: (row) => html`<span dir="ltr">${resultOf(row)}</span>` },
];

const columns = new Map<Language, readonly Column<LoggedDelivery>[]>();

/** Returns one list for each language, always the same, because a new list makes the table render its rows again. */
function columnsOf(language: Language): readonly Column<LoggedDelivery>[] {
  const known = columns.get(language) ?? columnsIn(language);
  columns.set(language, known);
  return known;
}

/**
 * The deliveries of one endpoint, newest first. New messages appear by themselves. A row opens the attempts, the
 * message, redelivery and the explanation.
 *
 * Events: `change` after a choice of a state, `redeliver` with the delivery as `detail`, `problem` with an error.
 */
export class DeliveryLog extends EmbeddedElement {
  /** The style sheets of the shadow tree. */
  static override readonly styles = [partStyles, logStyles];

  /** The id of the endpoint. */
  @property({ type: Number }) endpoint = 0;
  /** Only deliveries in this state are shown, such as `exhausted`. Empty: all deliveries. */
  @property() status: LoggedDelivery['status'] | '' = '';
  /** Hides the button that delivers a message again. */
  @property({ type: Boolean, attribute: 'readonly' }) isReadOnly = false;
  /** Returns further content for the head of an opened delivery, as a value that Lit renders. */
  @property({ attribute: false }) headOf: ((delivery: LoggedDelivery) => unknown) | undefined;
  @state() private isLive = false;
  @state() private opened: LoggedDelivery | undefined;
  #abort: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = 0;
  readonly #load = new Load<readonly LoggedDelivery[]>(this, (signal) => this.#read(signal), false);

  /** Called by the browser. */
  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#start();
  }

  /** Called by the browser. */
  override disconnectedCallback(): void {
    this.#stop();
    super.disconnectedCallback();
  }

  /** Called by Lit. */
  protected override updated(changed: PropertyValues<this>): void {
    if ([...CONNECTION, 'endpoint' as const].some((name) => changed.has(name))) this.#start();
    else if (changed.has('status')) void this.#reload();
  }

  /** Called by Lit. */
  protected override render(): TemplateResult {
    const { language } = this;
    return html`<div class="root" lang=${language} dir=${directionOf(language)}>
      <div class="row">
        <label>${logText(language, 'state')}
          <select name="status" @change=${this.#filter}>
            <option value="" ?selected=${this.status === ''}>${logText(language, 'allStates')}</option>
            ${STATES.map(
              (value) =>
                html`<option value=${value} ?selected=${value === this.status}>${logText(language, `status.${value}`)}</option>`,
            )}
          </select>
        </label>
        <span class=${`badge ${this.isLive ? 'good' : 'calm'}`}
          role="status">${logText(language, this.isLive ? 'live' : 'notLive')}</span>
      </div>
      ${this.#load.render((rows) =>
        rows.length === 0
          ? emptyState(logText(language, 'noDeliveries'), logText(language, 'noDeliveriesHelp'))
          : html`<ats-data-table label=${logText(language, 'log')} .language=${language}
              .columns=${columnsOf(language)} .rows=${rows} .open=${this.#open}></ats-data-table>`,
      )}
      ${this.opened ? this.#dialog(this.opened) : nothing}
    </div>`;
  }

  #dialog(opened: LoggedDelivery): TemplateResult {
    const { language } = this;
    const redelivered = (): void => {
      this.raise('redeliver', opened);
      void this.#reload();
    };
    return dialog({
      language,
      title: logText(language, 'delivery', { id: String(opened.id) }),
      close: () => (this.opened = undefined),
      content: html`<ats-delivery .language=${language} .client=${this.connection} .row=${opened}
        .isReadOnly=${this.isReadOnly} .head=${this.headOf?.(opened)} .onError=${this.onError}
        @redelivered=${redelivered}></ats-delivery>`,
    });
  }

  readonly #open = (row: LoggedDelivery): void => void (this.opened = row);

  readonly #filter = (event: Event): void => {
    this.status = (event.target as HTMLSelectElement).value as DeliveryLog['status'];
    this.dispatchEvent(new Event('change', { bubbles: true, composed: true }));
  };

  /** Reads the log and follows the messages, once the endpoint and the client are known. */
  #start(): void {
    this.#stop();
    const client = this.connection;
    if (!client || this.endpoint === 0) return;
    this.#load.data = undefined;
    void this.#load.run();
    this.#abort = new AbortController();
    void followMessages(client, this.endpoint, {
      signal: this.#abort.signal,
      onMessage: () => this.#loadIn(GATHER_MS),
      onState: (isConnected) => (this.isLive = isConnected),
    });
  }

  #stop(): void {
    this.#abort?.abort();
    this.#abort = undefined;
    this.isLive = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #reload(): Promise<void> {
    if (this.connection && this.endpoint !== 0) await this.#load.run();
  }

  async #read(signal: AbortSignal): Promise<readonly LoggedDelivery[]> {
    const deliveries = await readDeliveries(this.connection as Client, this.endpoint, this.status || undefined, signal);
    if (deliveries.some(({ status }) => status === 'due' || status === 'sending')) this.#loadIn(UNFINISHED_MS);
    return deliveries;
  }

  /** Reads the log after some time. Several calls lead to one read. No call aborts a running read. */
  #loadIn(ms: number): void {
    const due = performance.now() + ms;
    if (this.#timer !== undefined && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#load.isLoading) this.#loadIn(GATHER_MS);
      else void this.#load.run();
    }, ms);
  }
}
