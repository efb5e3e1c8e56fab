import { Load } from '@ats/elements/parts';
import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatNumber } from '../app/i18n.js';
import { ConsoleElement } from '../app/view.js';
import { read } from '../data/service.js';
import '../parts/problem.js';
import { t } from './texts.js';

interface StoredDocument {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly size: number;
  readonly scan: 'pending' | 'clean' | 'infected' | 'skipped';
}

/** The scan results of files that cannot be downloaded. */
const BLOCKED = ['pending', 'infected'];

/** The files of an application, each with the result of its virus scan. */
@customElement('ats-application-documents')
export class ApplicationDocuments extends ConsoleElement {
  @property({ type: Number }) application = 0;
  #error: unknown;
  readonly #documents = new Load(this, () =>
    read<readonly StoredDocument[]>('/api/v1/documents', { search: `document.application.id=${this.application}` }),
  );

  protected override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="documents-heading">
      <h2 id="documents-heading">${t('documents')}</h2>
      ${this.#documents.render((documents) =>
        documents.length === 0
          ? html`<p>${t('noDocuments')}</p>`
          : html`<ul class="plain">${documents.map((document) => this.#document(document))}</ul>`,
      )}
      <ats-problem .error=${this.#error}></ats-problem>
    </section>`;
  }

  #document({ id, name, kind, size, scan }: StoredDocument): TemplateResult {
    const kilobytes = formatNumber(Math.ceil(size / 1000));
    return html`<li class="row">
      <span dir="auto">${name}</span> <span class="muted">${kind}, ${kilobytes} kB</span>
      <span class="badge ${scan === 'infected' ? 'bad' : 'calm'}">${t('scan', { result: scan })}</span>
      <button type="button" ?disabled=${BLOCKED.includes(scan)}
        @click=${() => this.#download(id)}>${t('download')}<span class="visually-hidden"> ${name}</span></button>
    </li>`;
  }

  /** Requests the link when the user clicks it, because it works without a credential for some minutes. */
  async #download(id: number): Promise<void> {
    try {
      const { url } = await read<{ readonly url: string }>(`/api/v1/documents/${id}/link`);
      this.#error = undefined;
      location.assign(url);
    } catch (error) {
      this.#error = error;
    }
    this.requestUpdate();
  }
}
