import { type Client } from '@ats/client';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { resultText } from './attempt-result.js';
import { type Column } from './data-table.js';
import {
  type DeliveryFilter,
  followMessages,
  type LoggedDelivery,
  type ReadDeliveries,
  readDeliveries,
  readDelivery,
  type Status,
} from './deliveries.js';
import { logText } from './delivery-texts.js';
import { dialog } from './dialog.js';
import { CONNECTION, EmbeddedElement } from './embedded-element.js';
import { emptyState } from './empty-state.js';
import { directionOf, formatNumber, formatTime, type Language } from './languages.js';
import { Load } from './load.js';
import { FILTERS, logFilters } from './log-filters.js';
import { logStyles } from './log-styles.js';
import { partStyles } from './part-styles.js';
import { problemBox } from './problem.js';

/** Number of deliveries that are read at first, and in addition each time when the user scrolls to the end. */
const STEP = 100;
/** Time in ms for which events are collected before the log is read once for all of them. */
const GATHER_MS = 500;
/** Time in ms after which deliveries that have not ended are read again. */
const UNFINISHED_MS = 2_000;

const statusBadge = (language: Language, status: Status): TemplateResult => {
  const tone = status === 'delivered' ? 'good' : status === 'exhausted' ? 'bad' : 'calm';
  return html`<span class=${`badge ${tone}`} data-status=${status}>${logText(language, `status.${status}`)}</span>`;
};

const resultOf = (language: Language, { attempts }: LoggedDelivery): string => {
  const last = attempts.at(-1);
  return last ? resultText(language, last) : '–';
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
  { title: logText(language, 'result'), cell: (row) => html`<bdi>${resultOf(language, row)}</bdi>` },
];

const columns = new Map<Language, readonly Column<LoggedDelivery>[]>();

/** Returns one list for each language, always the same, because a new list makes the table render its rows again. */
function columnsOf(language: Language): readonly Column<LoggedDelivery>[] {
  const known = columns.get(language) ?? columnsIn(language);
  columns.set(language, known);
  return known;
}

const addressOf = ({ topicId, subscriptionId, id }: LoggedDelivery): string => [topicId, subscriptionId, id].join('/');

/**
 * The deliveries of one endpoint, newest first. New messages appear by themselves. A row opens the attempts, the
 * message, redelivery and the explanation. Older deliveries are loaded when the user scrolls to the end.
 *
 * Events: `change` after a choice of a condition, `opened` after a delivery was opened or closed, `redeliver` with the
 * delivery as `detail`, `problem` with an error.
 */
export class DeliveryLog extends EmbeddedElement {
  /** The style sheets of the shadow tree. */
  static override readonly styles = [partStyles, logStyles];

  /** The id of the endpoint. */
  @property({ type: Number }) endpoint = 0;
  /** Only deliveries in this state are shown, such as `exhausted`. Empty: all deliveries. */
  @property() status: LoggedDelivery['status'] | '' = '';
  /** Only deliveries of the topic with this id are shown. 0: all topics. */
  @property({ type: Number }) topic = 0;
  /** Only deliveries of events of this type are shown, such as `APPLICATION_CREATE`. Empty: all types. */
  @property({ attribute: 'event-type' }) eventType = '';
  /** Only deliveries of events at this time or later are shown, such as `2025-01-31T08:00:00Z`. Empty: no limit. */
  @property() since = '';
  /** Only deliveries of events at this time or before are shown. Empty: no limit. */
  @property() until = '';
  /** The opened delivery as the ids of topic, subscription and delivery, such as `1/2/3`. Empty: none. */
  @property() delivery = '';
  /** Hides the button that delivers a message again. */
  @property({ type: Boolean, attribute: 'readonly' }) isReadOnly = false;
  /** Returns further content for the head of an opened delivery, as a value that Lit renders. */
  @property({ attribute: false }) headOf: ((delivery: LoggedDelivery) => unknown) | undefined;
  @state() private isLive = false;
  @state() private problem: unknown;
  @state() private opened: LoggedDelivery | undefined;
  #abort: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = 0;
  #count = STEP;
  readonly #load = new Load<ReadDeliveries>(this, (signal) => this.#read(signal), false);

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
    else if (FILTERS.some((name) => changed.has(name))) {
      this.#count = STEP;
      void this.#reload();
    }
    if ([...CONNECTION, 'delivery' as const].some((name) => changed.has(name))) void this.#openNamed();
  }

  /** Called by Lit. */
  protected override render(): TemplateResult {
    const { language } = this;
    return html`<div class="root" lang=${language} dir=${directionOf(language)}>
      <div class="row">
        ${logFilters(language, this, this.#load.data?.topics ?? [], this.#filter)}
        <span class=${`badge ${this.isLive ? 'good' : 'calm'}`}
          role="status">${logText(language, this.isLive ? 'live' : 'notLive')}</span>
      </div>
      ${this.#load.render(({ rows }) =>
        rows.length === 0
          ? emptyState(logText(language, 'noDeliveries'), logText(language, 'noDeliveriesHelp'))
          : html`<ats-data-table label=${logText(language, 'log')} .language=${language} .atEnd=${this.#readOlder}
              .columns=${columnsOf(language)} .rows=${rows} .open=${this.#open}></ats-data-table>`,
      )}
      ${problemBox(language, this.problem)}
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
      close: () => this.#show(undefined),
      content: html`<ats-delivery .language=${language} .client=${this.connection} .row=${opened}
        .isReadOnly=${this.isReadOnly} .head=${this.headOf?.(opened)} .onError=${this.onError}
        @redelivered=${redelivered}></ats-delivery>`,
    });
  }

  readonly #open = (row: LoggedDelivery): void => this.#show(row);

  #show(row: LoggedDelivery | undefined): void {
    this.opened = row;
    this.delivery = row ? addressOf(row) : '';
    this.raise('opened', row);
  }

  /** Opens the delivery that the property names. */
  async #openNamed(): Promise<void> {
    const { connection, delivery } = this;
    if (delivery === '') this.opened = undefined;
    if (!connection || delivery === '' || (this.opened && addressOf(this.opened) === delivery)) return;
    const [topicId = 0, subscriptionId = 0, id = 0] = delivery.split('/').map(Number);
    try {
      const opened = await readDelivery(connection, { topicId, subscriptionId, id, topicName: '' });
      if (this.delivery === delivery) this.opened = opened;
    } catch (error) {
      this.problem = error;
      this.onError(error);
    }
  }

  readonly #filter = (values: Partial<DeliveryFilter>): void => {
    Object.assign(this, values);
    this.dispatchEvent(new Event('change', { bubbles: true, composed: true }));
  };

  readonly #readOlder = (): void => {
    const { data, isLoading } = this.#load;
    if (!data?.hasOlder || isLoading) return;
    this.#count += STEP;
    void this.#reload();
  };

  /** Reads the log and follows the messages, once the endpoint and the client are known. */
  #start(): void {
    this.#stop();
    const client = this.connection;
    if (!client || this.endpoint === 0) return;
    this.#load.data = undefined;
    this.#count = STEP;
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

  async #read(signal: AbortSignal): Promise<ReadDeliveries> {
    const { status, topic, eventType, since, until } = this;
    const filter = { status, topic, eventType, since, until };
    const read = await readDeliveries(this.connection as Client, this.endpoint, {
      filter,
      count: this.#count,
      signal,
    });
    if (read.rows.some((row) => row.status === 'due' || row.status === 'sending')) this.#loadIn(UNFINISHED_MS);
    return read;
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
