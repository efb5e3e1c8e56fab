import { html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { t } from '../app/texts.js';
import { ConsoleElement } from '../app/view.js';

const SHOWN_MS = 6_000;
const messages = new EventTarget();

/** Shows a short message at the edge of the window. Screen readers read it aloud. */
export const toast = (text: string): boolean => messages.dispatchEvent(new CustomEvent('message', { detail: text }));

/**
 * Copies a text to the clipboard and shows a message about it. Browsers have no clipboard for pages that were loaded
 * without HTTPS from another machine.
 */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('copied'));
  } catch {
    toast(t('notCopied'));
  }
}

/** The element that shows messages. The shell and each open dialog contain one. */
@customElement('ats-toast')
export class Toast extends ConsoleElement {
  @state() private text = '';
  #timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    messages.addEventListener('message', this.#show);
  }

  override disconnectedCallback(): void {
    messages.removeEventListener('message', this.#show);
    super.disconnectedCallback();
  }

  protected override render(): TemplateResult {
    return html`<div role="status" aria-live="polite" class="toast" ?data-shown=${this.text !== ''}>${this.text}</div>`;
  }

  readonly #show = (event: Event): void => {
    this.text = (event as CustomEvent<string>).detail;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => (this.text = ''), SHOWN_MS);
  };
}
