import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { SERVICE_URL } from '../app/base.js';
import { t } from '../app/texts.js';
import { ConsoleElement } from '../app/view.js';
import { asCurl, asTypeScript, type Call } from './call-samples.js';
import { dialog } from './dialog.js';
import { copy } from './toast.js';

export { type Call } from './call-samples.js';

/** A button that shows the API call behind a view. */
@customElement('ats-call-button')
export class CallButton extends ConsoleElement {
  @property({ attribute: false }) call: Call | undefined;
  @state() private isOpen = false;

  protected override render(): TemplateResult {
    const { call } = this;
    return html`
      <button type="button" class="quiet" @click=${() => (this.isOpen = true)}>${t('showCall')}</button>
      ${
        this.isOpen && call
          ? dialog({
              title: t('showCall'),
              close: () => (this.isOpen = false),
              content: [
                ['curl', asCurl(SERVICE_URL, call)],
                ['TypeScript', asTypeScript(SERVICE_URL, call)],
              ].map(
                ([name = '', text = '']) => html`
                  <section>
                    <header class="row"><h3>${name}</h3>
                      <button type="button" aria-label=${`${t('copy')}: ${name}`}
                        @click=${() => void copy(text)}>${t('copy')}</button>
                    </header>
                    <pre tabindex="0" dir="ltr">${text}</pre>
                  </section>
                `,
              ),
            })
          : nothing
      }
    `;
  }
}
