import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatSize } from '../app/i18n.js';
import { ConsoleElement } from '../app/view.js';
import '../parts/problem.js';
import { type CollectionQuery, toParameters } from './collection-query.js';
import { toJsonList } from './json-list.js';
import { send } from './service.js';
import { t } from './texts.js';

interface Format {
  readonly title: string;
  readonly extension: string;
  /** The value of the query parameter `format`. */
  readonly format: string;
  readonly accept: string;
  /** The media type of the file. */
  readonly type: string;
  /** Makes the stream that changes the answer into the file. */
  readonly convert?: () => ReadableWritablePair<Uint8Array, Uint8Array>;
}

const CSV: Format = { title: 'CSV', extension: 'csv', format: 'csv', accept: 'text/csv', type: 'text/csv' };
const NDJSON: Format = {
  title: 'NDJSON',
  extension: 'ndjson',
  format: 'ndjson',
  accept: 'application/x-ndjson',
  type: 'application/x-ndjson',
};
/** The service exports no JSON array, so the console makes one from the lines of NDJSON. */
const JSON_LIST: Format = {
  ...NDJSON,
  title: 'JSON',
  extension: 'json',
  type: 'application/json',
  convert: toJsonList,
};
const FORMATS = [CSV, JSON_LIST, NDJSON];

/** The part of the File System Access API that the export uses. Some browsers lack this API. */
interface SavePicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<{ createWritable(): Promise<WritableStream> }>;
}

/**
 * Saves all items of the query as a file. Where the browser supports it, the answer is written to the disk as it
 * arrives.
 */
@customElement('ats-collection-export')
export class CollectionExport extends ConsoleElement {
  @property({ attribute: false }) path!: string;
  @property({ attribute: false }) name!: string;
  @property({ attribute: false }) query!: CollectionQuery;
  /** The properties to export. An empty list stands for all properties. */
  @property({ attribute: false }) fields!: readonly string[];
  #status = '';
  #error: unknown;
  #running: AbortController | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#running?.abort();
  }

  protected override render(): TemplateResult {
    return html`<span class="row" role="group" aria-label=${t('export')}>
      ${FORMATS.map(
        (format) => html`<button type="button" ?disabled=${this.#running !== undefined}
        @click=${() => this.#export(format)}>${t('export')} ${format.title}</button>`,
      )}
      ${
        this.#running
          ? html`<button type="button" @click=${() => this.#running?.abort()}>${t('cancel')}</button>`
          : nothing
      }
      <span role="status">${this.#status}</span>
      ${this.#error === undefined ? nothing : html`<ats-problem .error=${this.#error}></ats-problem>`}
    </span>`;
  }

  async #export({ extension, format, accept, type, convert }: Format): Promise<void> {
    const controller = new AbortController();
    const suggestedName = `${this.name}.${extension}`;
    this.#error = undefined;
    try {
      const target = await (window as SavePicker).showSaveFilePicker?.({ suggestedName });
      this.#running = controller;
      this.#progress(0);
      const answer = await this.#request(format, accept, controller.signal);
      const stream = convert ? answer.pipeThrough(convert()) : answer;
      if (target)
        await stream.pipeTo((await target.createWritable()) as WritableStream<Uint8Array>, {
          signal: controller.signal,
        });
      else download(await new Response(stream, { headers: { 'Content-Type': type } }).blob(), suggestedName);
      this.#status = t('exported');
    } catch (error) {
      this.#status = '';
      if ((error as Error).name !== 'AbortError') this.#error = error;
    }
    this.#running = undefined;
    this.requestUpdate();
  }

  async #request(format: string, accept: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const parameters = toParameters(this.query);
    parameters.set('format', format);
    if (this.fields.length > 0 && this.query.layout === '') parameters.set('fields', this.fields.join(','));
    const headers = { Accept: accept };
    const { data } = await send<ReadableStream<Uint8Array>>('get', this.path, {
      parameters,
      headers,
      signal,
      parseAs: 'stream',
    });
    let bytes = 0;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        this.#progress(bytes);
        controller.enqueue(chunk);
      },
    });
    return data.pipeThrough(count);
  }

  #progress(bytes: number): void {
    this.#status = t('exporting', { size: formatSize(bytes) });
    this.requestUpdate();
  }
}

/** Saves a file as a usual download of the browser. */
function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
