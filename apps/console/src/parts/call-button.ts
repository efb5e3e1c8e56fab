import { Load } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { SERVICE_URL } from '../app/base.js';
import { t } from '../app/texts.js';
import { ConsoleElement } from '../app/view.js';
import { asCurl, asTypeScript, type Call } from './call-samples.js';
import { dialog } from './dialog.js';
import { readLastChange } from './last-change.js';
import { copy } from './toast.js';

export { type Call } from './call-samples.js';

/** A button that shows the API call behind a view, and the last change that the console sent. */
@customElement('ats-call-button')
export class CallButton extends ConsoleElement {
  @property({ attribute: false }) call: Call | undefined;
  @state() private isOpen = false;
  readonly #last = new Load(this, readLastChange, false);

  protected override render(): TemplateResult {
    const { call } = this;
    return html`
      <button type="button" class="quiet" @click=${this.#open}>${t('showCall')}</button>
      ${
        this.isOpen && call
          ? dialog({
              title: t('showCall'),
              close: () => (this.isOpen = false),
              content: html`${samples(call)}${this.#last.render((last) =>
                last ? html`<h2>${t('lastChange')}</h2>${samples(last, t('lastChange'))}` : nothing,
              )}`,
            })
          : nothing
      }
    `;
  }

  readonly #open = (): void => {
    this.isOpen = true;
    void this.#last.run();
  };
}

/** Shows a call as a curl command and as a program. `about` tells the buttons of two calls apart. */
const samples = (call: Call, about = ''): readonly TemplateResult[] =>
  [
    ['curl', asCurl(SERVICE_URL, call)],
    ['TypeScript', asTypeScript(SERVICE_URL, call)],
  ].map(
    ([name = '', text = '']) => html`
      <section>
        <header class="row"><h3>${name}</h3>
          <button type="button" aria-label=${[t('copy'), about, name].filter(Boolean).join(': ')}
            @click=${() => void copy(text)}>${t('copy')}</button>
        </header>
        <pre tabindex="0" dir="ltr">${text}</pre>
      </section>
    `,
  );
