import { type ExpressionEditor } from '@ats/elements';
import { faultAt } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { api } from '../app/session.js';
import { ConsoleElement } from '../app/view.js';
import { type Submit } from '../data/item-form.js';
import '../data/object-preview.js';
import '../parts/elements.js';
import { field, firstLine } from '../parts/form-field.js';
import '../parts/problem.js';
import { submitOnce } from '../parts/submit-once.js';
import { t } from './condition-texts.js';
import { type ConditionalForm, type Conditions, type Place, placesOf, rootOf, sectionsWith } from './conditions.js';

/**
 * Edits the conditions of a form's questions. A preview below each condition shows the objects that meet it. Dispatches
 * `conditions-change` while the user types, and after a save.
 */
@customElement('ats-condition-form')
export class ConditionForm extends ConsoleElement {
  /** The path of the form, such as `/api/v1/forms/1`. */
  @property() path = '';
  @property({ attribute: false }) form!: ConditionalForm;
  @property({ attribute: false }) submit!: Submit;
  /** The conditions that the user has changed since the last save. */
  @state() private typed: Conditions = new Map();
  @state() private error: unknown;

  override get isEdited(): boolean {
    return this.typed.size > 0;
  }

  /** The sections of the form with the conditions as the user has typed them. */
  get sections(): ConditionalForm['sections'] {
    return sectionsWith(this.form, this.typed);
  }

  get #root(): string {
    return rootOf(this.form.resource);
  }

  protected override render(): TemplateResult {
    const all = placesOf(this.form, this.typed);
    const shown = all.filter(({ condition }) => condition !== null);
    return html`<form class="card" novalidate @submit=${this.#send} aria-labelledby="conditions-heading">
      <h2 id="conditions-heading">${t('conditions')}</h2>
      ${shown.length === 0 ? html`<p>${t('noConditions')}</p>` : shown.map((place) => this.#condition(place))}
      ${this.#addition(all.filter(({ condition }) => condition === null))}
      <ats-problem .error=${this.error} .fields=${shown.map(({ pointer }) => pointer)}></ats-problem>
      <p class="actions">
        <button class="primary" ?disabled=${this.typed.size === 0}>${t('save')}</button>
      </p>
    </form>`;
  }

  #condition({ id, label, condition, pointer }: Place): TemplateResult {
    const name = t('conditionOf', { question: label });
    const expression = condition ?? '';
    return html`<div role="group" aria-label=${name} data-question=${id}>
      <ats-expression-editor .client=${api()} .language=${this.language} .root=${this.#root} .value=${expression}
        .label=${name} .help=${t('conditionHelp', { example: this.#example })}
        .fault=${firstLine(faultAt(this.error, pointer))}
        @input=${(event: Event) => this.#change(id, (event.currentTarget as ExpressionEditor).value)}></ats-expression-editor>
      <ats-object-preview .path=${`${this.path}/conditions/preview`} .expression=${expression}></ats-object-preview>
      <p class="actions"><button type="button" @click=${() => this.#change(id, null)}>${t('remove')}<span
        class="visually-hidden"> ${name}</span></button></p>
    </div>`;
  }

  get #example(): string {
    const key = this.form.sections.flatMap(({ items }) => items)[0]?.key;
    return key === undefined ? `${this.#root}.id > 1` : `${this.#root}.formdata.${key} != null`;
  }

  /** Lists the questions that are always shown, with a button that adds a condition to the chosen question. */
  #addition(places: readonly Place[]): TemplateResult | typeof nothing {
    if (places.length === 0) return nothing;
    return html`<div class="row start">
      ${field({
        label: t('question'),
        name: 'question',
        choices: places.map(({ id, label }) => ({ value: String(id), text: label })),
      })}
      <button type="button" @click=${this.#add}>${t('addCondition')}</button>
    </div>`;
  }

  readonly #add = async (): Promise<void> => {
    const id = Number(this.querySelector<HTMLSelectElement>('#field-question')?.value);
    this.#change(id, '');
    await this.updateComplete;
    this.querySelector<HTMLElement>(`[data-question="${id}"] ats-expression-editor`)?.focus();
  };

  #change(id: number, condition: string | null): void {
    this.#setTyped(new Map(this.typed).set(id, condition));
  }

  #setTyped(typed: Conditions): void {
    this.typed = typed;
    this.dispatchEvent(new Event('conditions-change'));
  }

  readonly #send = submitOnce(async () => {
    this.error = undefined;
    try {
      await this.submit({ sections: this.sections });
      this.#setTyped(new Map());
    } catch (error) {
      this.error = error;
    }
  });
}
