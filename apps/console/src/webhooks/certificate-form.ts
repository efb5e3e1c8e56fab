import { clientCertificatesCreate } from '@ats/client';
import { html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { api } from '../app/session.js';
import { t as common } from '../app/texts.js';
import { ConsoleElement } from '../app/view.js';
import { closeNearest, dialog } from '../parts/dialog.js';
import { FormEdits } from '../parts/form-edits.js';
import { field, formValues } from '../parts/form-field.js';
import '../parts/problem.js';
import { submitOnce } from '../parts/submit-once.js';
import { t } from './certificate-texts.js';
import { t as webhooks } from './texts.js';

const LINES = 6;

/** The event `stored`. It has the id of the new certificate. */
export class CertificateEvent extends Event {
  constructor(readonly certificateId: number) {
    super('stored');
  }
}

/** A dialog that stores a client certificate with its key. Dispatches `stored` after this, and `closed` at the end. */
@customElement('ats-certificate-form')
export class CertificateForm extends ConsoleElement {
  @state() private error: unknown;
  readonly #edits = new FormEdits(this);

  override get isEdited(): boolean {
    return this.#edits.isEdited;
  }

  protected override render(): TemplateResult {
    const { error } = this;
    const pem = { lines: LINES, isCode: true, isRequired: true, error };
    return dialog({
      title: t('add'),
      close: () => this.dispatchEvent(new Event('closed')),
      content: html`<form novalidate @submit=${this.#store}>
        ${field({ label: t('name'), name: 'certificate_name', path: '/name', isRequired: true, error })}
        ${field({ ...pem, label: t('pem'), name: 'certificate', help: t('pemHelp') })}
        ${field({ ...pem, label: t('key'), name: 'private_key', help: t('keyHelp') })}
        <ats-problem .error=${error} .fields=${['/name', '/certificate', '/private_key']}></ats-problem>
        <p class="actions">
          <button class="primary">${webhooks('save')}</button>
          <button type="button" @click=${closeNearest}>${common('cancel')}</button>
        </p>
      </form>`,
    });
  }

  readonly #store = submitOnce(async (event: SubmitEvent) => {
    this.error = undefined;
    const {
      certificate_name: name = '',
      certificate = '',
      private_key = '',
    } = formValues(event.target as HTMLFormElement);
    try {
      const { data } = await clientCertificatesCreate({ client: api(), body: { name, certificate, private_key } });
      this.dispatchEvent(new CertificateEvent(data.id));
      this.querySelector('dialog')?.close();
    } catch (error) {
      this.error = error;
      await this.updateComplete;
      this.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  });
}
