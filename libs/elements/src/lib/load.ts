import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { type Language } from './languages.js';
import { partText } from './part-texts.js';
import { problemBox } from './problem.js';

/** An element that loads data and shows it. */
export interface LoadHost extends ReactiveControllerHost {
  readonly language: Language;
  /** Called with the error of a failed load. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Loads data for an element. Renders a waiting text, the error or the data. `run` loads again and aborts an older
 * request.
 */
export class Load<Data> implements ReactiveController {
  data: Data | undefined;
  error: unknown;
  isLoading = false;
  #abort: AbortController | undefined;

  /** Adds the load to its element. @param isStarted false to load only when `run` is called */
  constructor(
    private readonly host: LoadHost,
    private readonly load: (signal: AbortSignal) => Promise<Data>,
    private readonly isStarted = true,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    if (this.isStarted) void this.run();
  }

  hostDisconnected(): void {
    this.#abort?.abort();
  }

  readonly run = async (): Promise<void> => {
    this.#abort?.abort();
    const { signal } = (this.#abort = new AbortController());
    this.isLoading = true;
    this.error = undefined;
    this.host.requestUpdate();
    try {
      const data = await this.load(signal);
      if (!signal.aborted) this.data = data;
    } catch (error) {
      if (!signal.aborted) {
        this.error = error;
        this.host.onError?.(error);
      }
    }
    if (signal.aborted) return;
    this.isLoading = false;
    this.host.requestUpdate();
  };

  /** Renders the present state. Data that is already shown stays visible while it is loaded again. */
  render(show: (data: Data) => unknown): TemplateResult {
    return html`
      ${problemBox(this.host.language, this.error, { retry: this.run })}
      ${this.data === undefined ? (this.isLoading ? html`<p role="status">${partText(this.host.language, 'loading')}</p>` : '') : show(this.data)}
    `;
  }
}
