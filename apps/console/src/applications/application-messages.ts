import { Load } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatTime } from '../app/i18n.js';
import { ConsoleElement } from '../app/view.js';
import { readCatalogue, read, send } from '../data/service.js';
import { FormEdits } from '../parts/form-edits.js';
import { field, formValues } from '../parts/form-field.js';
import '../parts/problem.js';
import { submitOnce } from '../parts/submit-once.js';
import { toast } from '../parts/toast.js';
import { changed } from './changed.js';
import { type Filled, mailPreview } from './mail-preview.js';
import { named } from './message-texts.js';
import { t } from './texts.js';

interface Message {
  readonly id: number;
  readonly type: string;
  readonly direction: string;
  readonly subject: string | null;
  readonly body: string;
  readonly status: string;
  readonly created_dt: string;
}
interface Template {
  readonly id: number;
  readonly name: string;
}

const TEMPLATES = '/api/v1/message_templates';
const TYPES = ['note', 'email'];
const NEWEST = { sort: 'communication.id!desc', per_page: '20' };

/** The messages of an application, and a form for a new message. The form has a preview with filled-in placeholders. */
@customElement('ats-application-messages')
export class ApplicationMessages extends ConsoleElement {
  @property() path = '';
  @property({ type: Boolean }) isWritable = false;
  #template = '';
  #preview: Filled | undefined;
  #error: unknown;
  readonly #edits = new FormEdits(this);
  readonly #messages = new Load(this, () => read<readonly Message[]>(`${this.path}/comms`, NEWEST));
  readonly #templates = new Load(this, async () =>
    (await readCatalogue()).mayCall('GET', TEMPLATES) ? read<readonly Template[]>(TEMPLATES, { per_page: '200' }) : [],
  );

  override get isEdited(): boolean {
    return this.#edits.isEdited;
  }

  protected override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="messages-heading">
      <h2 id="messages-heading">${t('messages')}</h2>
      ${this.#messages.render((messages) =>
        messages.length === 0
          ? html`<p>${t('noMessages')}</p>`
          : html`<ul class="plain">${messages.map((message) => this.#message(message))}</ul>`,
      )}
      ${this.isWritable ? this.#form() : nothing}
    </section>`;
  }

  #message({ subject, body, type, direction, status, created_dt }: Message): TemplateResult {
    return html`<li><details>
      <summary><span dir="auto">${subject || body.slice(0, 60)}</span>
        <span class="muted"><bdi>${named('type', type)}</bdi>, <bdi>${named('direction', direction)}</bdi>,
          <bdi>${formatTime(created_dt)}</bdi></span>
        <span class="badge calm">${named('status', status)}</span></summary>
      <pre tabindex="0" dir="auto">${body}</pre>
    </details></li>`;
  }

  #form(): TemplateResult {
    const templates = (this.#templates.data ?? []).map(({ id, name }) => ({ value: String(id), text: name }));
    const [error, fields] = [this.#error, ['/subject', '/body', '/type', '/template_id']];
    return html`<form novalidate @submit=${this.#submit}>
      ${field({
        label: t('template'),
        name: 'template_id',
        value: this.#template,
        error,
        choices: [{ value: '', text: t('ownText') }, ...templates],
        onInput: this.#choose,
      })}
      ${this.#template === '' ? this.#ownText() : nothing}
      <ats-problem .error=${error} .fields=${fields}></ats-problem>
      <p class="actions">
        <button type="submit" name="preview">${t('preview')}</button>
        <button type="submit" class="primary">${t('send')}</button>
      </p>
      ${this.#preview ? mailPreview(this.#preview) : nothing}
    </form>`;
  }

  #ownText(): TemplateResult {
    const error = this.#error;
    const help = t('placeholders', { example: '{{ application.user.firstname }}' });
    return html`${field({ label: t('type'), name: 'type', error, choices: TYPES.map((value) => ({ value, text: named('type', value) })) })}
      ${field({ label: t('subject'), name: 'subject', error })}
      ${field({ label: t('body'), name: 'body', error, lines: 4, help })}`;
  }

  readonly #choose = (id: string): void => {
    this.#template = id;
    this.#preview = undefined;
    this.requestUpdate();
  };

  readonly #submit = submitOnce(async (event: SubmitEvent) => {
    const form = event.target as HTMLFormElement;
    const { template_id, ...texts } = formValues(form);
    const body = template_id === undefined ? texts : { template_id: Number(template_id) };
    const isPreview = (event.submitter as HTMLButtonElement | null)?.name === 'preview';
    try {
      const { data } = await send<Filled>('post', `${this.path}/comms${isPreview ? '/preview' : ''}`, { body });
      this.#error = undefined;
      this.#preview = isPreview ? data : undefined;
      if (!isPreview) this.#sent(form);
    } catch (error) {
      this.#error = error;
    }
    this.requestUpdate();
  });

  #sent(form: HTMLFormElement): void {
    form.reset();
    toast(t('sent'));
    void this.#messages.run();
    this.dispatchEvent(changed());
  }
}
