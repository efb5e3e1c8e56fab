import { Load } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatSize } from '../app/i18n.js';
import { ConsoleElement } from '../app/view.js';
import { read, send } from '../data/service.js';
import { dialog } from '../parts/dialog.js';
import '../parts/problem.js';
import { toast } from '../parts/toast.js';
import { t as documentText } from './document-texts.js';
import './document-upload.js';
import { t } from './texts.js';

const DOCUMENTS = '/api/v1/documents';
/** Time in ms after which the list is read again while a virus scan runs. */
const SCANNING_MS = 2_000;

interface StoredDocument {
  readonly id: number;
  readonly name: string;
  readonly kind: 'cv' | 'cover_letter' | 'portfolio' | 'other';
  readonly size: number;
  readonly scan: 'pending' | 'clean' | 'infected' | 'skipped';
  readonly owner: 'application' | 'candidate';
}

/** The scan results of files that cannot be downloaded. */
const BLOCKED = ['pending', 'infected'];

/** The files of an application and of its candidate, each with the result of its virus scan. */
@customElement('ats-application-documents')
export class ApplicationDocuments extends ConsoleElement {
  @property({ type: Number }) application = 0;
  @property({ type: Number }) candidate = 0;
  /** Shows the form that uploads a file. */
  @property({ type: Boolean }) isWritable = false;
  @property({ type: Boolean }) isDeletable = false;
  #removing: StoredDocument | undefined;
  #error: unknown;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #documents = new Load(this, () => this.#read());

  override disconnectedCallback(): void {
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  async #read(): Promise<readonly StoredDocument[]> {
    const owners = [`application.id=${this.application}`, `candidate.id=${this.candidate}`];
    const lists = await Promise.all(
      owners.map((owner) =>
        read<readonly StoredDocument[]>(DOCUMENTS, { search: `document.${owner}`, sort: 'document.id!desc' }),
      ),
    );
    const documents = lists.flat();
    clearTimeout(this.#timer);
    if (this.isConnected && documents.some(({ scan }) => scan === 'pending'))
      this.#timer = setTimeout(() => void this.#documents.run(), SCANNING_MS);
    return documents;
  }

  protected override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="documents-heading">
      <h2 id="documents-heading">${t('documents')}</h2>
      ${this.#documents.render((documents) =>
        documents.length === 0
          ? html`<p>${t('noDocuments')}</p>`
          : html`<ul class="plain">${documents.map((document) => this.#document(document))}</ul>`,
      )}
      <ats-problem .error=${this.#removing ? undefined : this.#error}></ats-problem>
      ${
        this.isWritable
          ? html`<ats-document-upload .application=${this.application} .candidate=${this.candidate}
              @changed=${() => void this.#documents.run()}></ats-document-upload>`
          : nothing
      }
      ${this.#removing ? this.#removal(this.#removing) : nothing}
    </section>`;
  }

  #document(document: StoredDocument): TemplateResult {
    const { id, name, kind, size, scan, owner } = document;
    return html`<li class="row document">
      <span class="about"><bdi>${name}</bdi> <span class="muted">${documentText(kind)}, <bdi>${formatSize(size)}</bdi>${
        owner === 'candidate' ? ` · ${documentText('of_candidate')}` : ''
      }</span></span>
      <span class="badge ${scan === 'infected' ? 'bad' : 'calm'}">${documentText(scan)}</span>
      <button type="button" ?disabled=${BLOCKED.includes(scan)}
        @click=${() => this.#download(id)}>${t('download')}<span class="visually-hidden"> ${name}</span></button>
      ${
        this.isDeletable
          ? html`<button type="button" class="danger" @click=${() => this.#ask(document)}>${documentText('remove')}<span
              class="visually-hidden"> ${name}</span></button>`
          : nothing
      }
    </li>`;
  }

  #removal(document: StoredDocument): TemplateResult {
    return dialog({
      title: documentText('removeTitle', { name: document.name }),
      close: () => this.#ask(undefined),
      content: html`<p>${documentText('removeHint')}</p>
        <ats-problem .error=${this.#error}></ats-problem>
        <p class="actions"><button type="button" class="danger"
          @click=${() => this.#remove(document)}>${documentText('remove')}</button></p>`,
    });
  }

  #ask(document: StoredDocument | undefined): void {
    this.#removing = document;
    this.#error = undefined;
    this.requestUpdate();
  }

  async #remove({ id, name }: StoredDocument): Promise<void> {
    try {
      await send('delete', `${DOCUMENTS}/${id}`);
      this.#ask(undefined);
      toast(documentText('removed', { name }));
      await this.#documents.run();
    } catch (error) {
      this.#error = error;
      this.requestUpdate();
    }
  }

  /** Requests the link only when the user clicks, because for some minutes the link works without a credential. */
  async #download(id: number): Promise<void> {
    try {
      const { url } = await read<{ readonly url: string }>(`${DOCUMENTS}/${id}/link`);
      this.#error = undefined;
      location.assign(url);
    } catch (error) {
      this.#error = error;
    }
    this.requestUpdate();
  }
}
