import { ApiError } from '@ats/client';
import { faultAt } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatPercent } from '../app/i18n.js';
import { ConsoleElement } from '../app/view.js';
import { send } from '../data/service.js';
import { field, formValues } from '../parts/form-field.js';
import '../parts/problem.js';
import { submitOnce } from '../parts/submit-once.js';
import { toast } from '../parts/toast.js';
import { changed } from './changed.js';
import { t } from './document-texts.js';
import { uploadFile } from './upload.js';

const KINDS = ['cv', 'cover_letter', 'portfolio', 'other'] as const;
const OWNERS = ['application', 'candidate'] as const;
/** The JSON pointers of violations that belong to the file. */
const OF_FILE = ['/name', '/size', '/file'];
const FIELDS = [...OF_FILE, '/kind', '/application_id', '/candidate_id'];

/** A form that uploads a file and gives it to the application or to its candidate. */
@customElement('ats-document-upload')
export class DocumentUpload extends ConsoleElement {
  @property({ type: Number }) application = 0;
  @property({ type: Number }) candidate = 0;
  #share: number | undefined;
  #abort: AbortController | undefined;
  #error: unknown;
  /** The id of a document that was uploaded but has no owner yet, and its file. A second attempt does not send it again. */
  #stored: { readonly file: File; readonly kind: string; readonly id: number } | undefined;

  override disconnectedCallback(): void {
    this.#abort?.abort();
    super.disconnectedCallback();
  }

  protected override render(): TemplateResult {
    const error = this.#error;
    const ownerFault = OWNERS.map((owner) => faultAt(error, `/${owner}_id`)).find((fault) => fault !== undefined);
    return html`<details>
      <summary>${t('add')}</summary>
      <form novalidate @submit=${this.#submit}>
        ${this.#file()}
        ${field({ label: t('kind'), name: 'kind', error, choices: KINDS.map((value) => ({ value, text: t(value) })) })}
        ${field({
          label: t('owner'),
          name: 'owner',
          error,
          choices: OWNERS.map((value) => ({ value, text: t(`of_${value}`) })),
        })}
        ${ownerFault === undefined ? nothing : html`<small class="error" role="alert">${ownerFault}</small>`}
        <ats-problem .error=${this.#isOfFile(error) ? undefined : error} .fields=${FIELDS}></ats-problem>
        ${this.#share === undefined ? nothing : this.#progress(this.#share)}
        <p class="actions">
          <button class="primary" ?disabled=${this.#share !== undefined}>${t('upload')}</button>
          ${
            this.#share === undefined
              ? nothing
              : html`<button type="button" @click=${() => this.#abort?.abort()}>${t('stop')}</button>`
          }
        </p>
      </form>
    </details>`;
  }

  #file(): TemplateResult {
    const fault = OF_FILE.map((path) => faultAt(this.#error, path)).find((text) => text !== undefined);
    const text = fault ?? (this.#isOfFile(this.#error) ? String((this.#error as Error).message) : '');
    return html`<div class="field">
      <label for="field-file">${t('file')}</label>
      <input id="field-file" name="file" type="file" aria-describedby="error-file" aria-invalid=${text !== ''} />
      <small id="error-file" class="error" role="alert">${text}</small>
    </div>`;
  }

  #progress(share: number): TemplateResult {
    return html`<p class="row"><progress max="1" .value=${share} aria-label=${t('uploading')}></progress>
      <span aria-hidden="true">${formatPercent(share)}</span></p>`;
  }

  /** True when the error is about the file, although it names no property: the file is missing, is empty or has too many bytes. */
  #isOfFile(error: unknown): boolean {
    return error instanceof UnusableFile || (error instanceof ApiError && error.status === 413);
  }

  readonly #submit = submitOnce(async (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
    const { kind = '', owner = '' } = formValues(form);
    const file = form.querySelector<HTMLInputElement>('input[type=file]')?.files?.[0];
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#error = undefined;
    try {
      if (!file) throw new UnusableFile(t('noFile'));
      if (file.size === 0) throw new UnusableFile(t('emptyFile'));
      await this.#give(await this.#upload(file, kind, signal), owner);
      form.reset();
      toast(t('uploaded', { name: file.name }));
      this.dispatchEvent(changed());
    } catch (error) {
      if (!signal.aborted) this.#error = error;
    }
    this.#share = undefined;
    this.requestUpdate();
  });

  async #upload(file: File, kind: string, signal: AbortSignal): Promise<number> {
    const stored = this.#stored;
    if (stored?.file === file && stored.kind === kind) return stored.id;
    const onProgress = (share: number): void => {
      this.#share = share;
      this.requestUpdate();
    };
    onProgress(0);
    const id = await uploadFile({ file, kind, onProgress, signal });
    this.#stored = { file, kind, id };
    return id;
  }

  async #give(id: number, owner: string): Promise<void> {
    const body = owner === 'candidate' ? { candidate_id: this.candidate } : { application_id: this.application };
    try {
      await send('patch', `/api/v1/documents/${id}`, { body });
      this.#stored = undefined;
    } catch (error) {
      // The uploaded document was deleted or already has an owner, so the next attempt must send the file again.
      if (error instanceof ApiError && [404, 422].includes(error.status)) this.#stored = undefined;
      throw error;
    }
  }
}

/** The error of a form whose file is missing or empty. */
class UnusableFile extends Error {}
