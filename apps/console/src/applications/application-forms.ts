import { ApiError } from '@ats/client';
import { formModelOf, Load } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { api } from '../app/session.js';
import { ConsoleElement } from '../app/view.js';
import { read, send } from '../data/service.js';
import '../parts/problem.js';
import { submitOnce } from '../parts/submit-once.js';
import { toast } from '../parts/toast.js';
import { type Answer, type Form, fromAnswer, type Item, storedAnswer, textOfAnswer } from './answers.js';
import { changed } from './changed.js';
import { FormConditions, haveConditions } from './form-conditions.js';
import { questionField } from './question-field.js';
import { t } from './texts.js';

interface Loaded {
  readonly forms: readonly Form[];
  readonly answers: readonly Answer[];
}

/** The object type with which the datapaths of conditions begin. It is the same for applications to events. */
const ROOT = 'application';

/** The forms that apply to an application, with its answers. Saving sends only the answers that the user changed. */
@customElement('ats-application-forms')
export class ApplicationForms extends ConsoleElement {
  @property() path = '';
  @property() resource = '';
  @property({ type: Number }) opportunity = 0;
  /** The representation of the application. The conditions of questions read values from it. */
  @property({ attribute: false }) application: object = {};
  @property({ type: Boolean }) isWritable = false;
  readonly #typed = new Map<number, string>();
  /** The conditions of the questions. Undefined until they are loaded, and when no question has a condition. */
  #conditions: FormConditions | undefined;
  #sent: readonly number[] = [];
  #error: unknown;
  readonly #loaded = new Load(this, () => this.#load());

  async #load(): Promise<Loaded> {
    const parameters = { resource: this.resource, opportunity_id: String(this.opportunity), per_page: '200' };
    const [forms, values] = await Promise.all([
      read<readonly Form[]>('/api/v1/forms', parameters),
      read<{ readonly form_values?: readonly Answer[] }>(`${this.path}/form_values`),
    ]);
    void this.#loadConditions(forms);
    return { forms, answers: values.form_values ?? [] };
  }

  /**
   * Loads the conditions of the questions. When this fails, the form shows every question, and the service checks the
   * conditions when the answers are saved.
   */
  async #loadConditions(forms: readonly Form[]): Promise<void> {
    if (!haveConditions(forms)) return;
    const model = await formModelOf(api(), ROOT).catch(() => undefined);
    this.#conditions = model && new FormConditions(ROOT, forms, model);
    this.requestUpdate();
  }

  #isVisible(item: Item): boolean | undefined {
    const { forms, answers } = this.#loaded.data as Loaded;
    const items = forms.flatMap(({ sections }) => sections.flatMap((section) => section.items));
    const answerOf = (id: number): unknown => {
      const [typed, asked] = [this.#typed.get(id), items.find((one) => one.id === id)];
      if (typed !== undefined && asked) return fromAnswer(asked, typed);
      return storedAnswer(id, answers)?.value ?? null;
    };
    return this.#conditions ? this.#conditions.isVisible(item, { object: this.application, answerOf }) : undefined;
  }

  override get isEdited(): boolean {
    return this.#typed.size > 0;
  }

  protected override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="forms-heading">
      <h2 id="forms-heading">${t('forms')}</h2>
      ${this.#loaded.render((loaded) =>
        loaded.forms.length === 0 ? html`<p>${t('noForms')}</p>` : this.#form(loaded),
      )}
    </section>`;
  }

  #form({ forms, answers }: Loaded): TemplateResult {
    const items = forms.flatMap(({ sections }) => sections.flatMap((section) => section.items));
    return html`<form novalidate @submit=${this.#save}>
      ${forms.map(
        ({ name, sections }) => html`
        ${forms.length > 1 ? html`<h3>${name}</h3>` : nothing}
        ${sections.map(
          (section) => html`<fieldset class="plain-fieldset">
          <legend>${section.name}</legend>${section.items.map((item) => this.#item(item, answers))}
        </fieldset>`,
        )}
      `,
      )}
      <ats-problem .error=${this.#error} .fields=${this.#paths(items)}></ats-problem>
      ${this.isWritable ? html`<p class="actions"><button class="primary">${t('saveValues')}</button></p>` : nothing}
    </form>`;
  }

  #item(item: Item, answers: readonly Answer[]): TemplateResult | typeof nothing {
    return questionField({
      item,
      value: this.#typed.get(item.id) ?? textOfAnswer(item, answers),
      isVisible: this.#isVisible(item),
      isDisabled: !this.isWritable,
      fault: this.#faultOf(item.id),
      onInput: (text) => {
        this.#typed.set(item.id, text);
        this.requestUpdate();
      },
    });
  }

  /**
   * Returns the text of the violation at a question. The service names the form item of a violation, even when the
   * request has no value for it.
   */
  #faultOf(id: number): string | undefined {
    if (!(this.#error instanceof ApiError)) return undefined;
    const fault = this.#error.violations.find(
      (one) => (one as { readonly item_id?: number }).item_id === id || one.path === this.#pathOf(id),
    );
    return fault && (fault.info ?? fault.code);
  }

  #pathOf = (id: number): string => `/form_values/${this.#sent.indexOf(id)}/value`;

  #paths(items: readonly Item[]): readonly string[] {
    return ['/form_values', ...items.map(({ id }) => this.#pathOf(id))];
  }

  readonly #save = submitOnce(async () => {
    const { forms } = this.#loaded.data as Loaded;
    const items = forms.flatMap(({ sections }) => sections.flatMap((section) => section.items));
    const written = items.filter((item) => this.#typed.has(item.id) && this.#isVisible(item) !== false);
    if (written.length === 0) return;
    this.#sent = written.map(({ id }) => id);
    const form_values = written.map((item) => ({
      item_id: item.id,
      value: fromAnswer(item, this.#typed.get(item.id) ?? ''),
    }));
    try {
      await send('post', `${this.path}/form_values`, { body: { form_values } });
      this.#typed.clear();
      this.#error = undefined;
      toast(t('saved'));
      this.dispatchEvent(changed());
      await this.#loaded.run();
    } catch (error) {
      this.#error = error;
      this.requestUpdate();
      await this.updateComplete;
      this.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  });
}
