import { type ClientCertificates, clientCertificatesList, items } from '@ats/client';
import { Load } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatTime } from '../app/i18n.js';
import { href } from '../app/router.js';
import { api, hasScope } from '../app/session.js';
import { ConsoleElement } from '../app/view.js';
import { FormEdits } from '../parts/form-edits.js';
import { field } from '../parts/form-field.js';
import { t } from './certificate-texts.js';

const PER_PAGE = 200;
const DAY: Intl.DateTimeFormatOptions = { dateStyle: 'medium' };

const isExpired = ({ valid_to_dt: end }: ClientCertificates): boolean => new Date(end) < new Date();

/**
 * A field that chooses a client certificate. It shows the validity of the chosen certificate, and dispatches `add` when
 * the user wants to add a certificate.
 */
@customElement('ats-certificate-choice')
export class CertificateChoice extends ConsoleElement {
  /** The id of the chosen certificate. */
  @property({ attribute: false }) value: number | null = null;
  @property({ attribute: false }) error: unknown;
  readonly #edits = new FormEdits(this);
  readonly #load = new Load(this, async (signal) => {
    const found: ClientCertificates[] = [];
    for await (const one of items(clientCertificatesList, { client: api(), query: { per_page: PER_PAGE }, signal }))
      found.push(one);
    return found;
  });

  override get isEdited(): boolean {
    return this.#edits.isEdited;
  }

  /** Makes the chosen certificate the initial value. Call it after the choice was saved. */
  saved(): void {
    this.#edits.saved();
  }

  /** Loads the certificates again, and chooses one of them. */
  async choose(id: number): Promise<void> {
    await this.#load.run();
    this.value = id;
  }

  protected override render(): TemplateResult {
    return html`${this.#load.render((certificates) => {
      const chosen = certificates.find(({ id }) => id === this.value);
      return html`
        ${field({
          label: t('certificate'),
          name: 'certificate_id',
          path: '/authentication/certificate_id',
          value: this.value,
          help: t('help'),
          isRequired: true,
          error: this.error,
          choices: [
            { value: '', text: t('choose') },
            ...certificates.map((one) => ({
              value: String(one.id),
              text: t(isExpired(one) ? 'expiredOption' : 'option', {
                name: one.name,
                time: formatTime(one.valid_to_dt, DAY),
              }),
            })),
          ],
          onInput: (value) => (this.value = value === '' ? null : Number(value)),
        })}
        ${chosen ? this.#details(chosen) : nothing}
        ${
          hasScope('notifications:create')
            ? html`<button type="button" @click=${() => this.dispatchEvent(new Event('add'))}>${t('add')}</button>`
            : nothing
        }
      `;
    })}`;
  }

  #details(certificate: ClientCertificates): TemplateResult {
    const { id, subject, issuer, valid_to_dt: end } = certificate;
    return html`<dl>
      <dt>${t('subject')}</dt><dd><bdi>${subject}</bdi></dd>
      <dt>${t('issuer')}</dt><dd><bdi>${issuer}</bdi></dd>
      <dt>${t('validUntil')}</dt>
      <dd>${formatTime(end)} ${isExpired(certificate) ? html`<span class="badge bad">${t('expired')}</span>` : nothing}</dd>
    </dl>
    <p><a href=${href(`data/client_certificates/${id}`)}>${t('renew')}</a></p>`;
  }
}
