import { ApiError } from '@ats/client';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { ConsoleElement } from '../app/view.js';
import { field, partsOf } from '../parts/form-field.js';
import '../parts/problem.js';
import { labelOf, type Schema, valuesOf } from './columns.js';
import { descriptionOf } from './description.js';
import { type Field, fieldOf, fromInput, InputError, toInput } from './field-values.js';
import { t } from './texts.js';
import { valueLabel } from './translations.js';

type Values = Readonly<Record<string, unknown>>;
type Choice = { readonly value: string; readonly text: string };

/** Sends the values of the form. @throws the error whose violations the form shows next to their fields */
export type Submit = (changed: Values) => Promise<void>;

const LINES: Readonly<Partial<Record<Field, number>>> = { text: 5, lines: 3, json: 6 };

/** A form that follows from the JSON Schema of a body. It sends only the values that the user changed. */
@customElement('ats-item-form')
export class ItemForm extends ConsoleElement {
  /** Maps the names of the body's properties to their JSON Schemas. */
  @property({ attribute: false }) schemas!: Readonly<Record<string, Schema>>;
  /** The values of the form before the user changes them. */
  @property({ attribute: false }) values: Values = {};
  @property({ attribute: false }) submit!: Submit;
  /** Called when the user cancels. When it is absent, the form has no button to cancel. */
  @property({ attribute: false }) cancel: (() => void) | undefined;
  readonly #typed = new Map<string, string>();
  #inputErrors: Readonly<Record<string, string>> = {};
  #error: unknown;
  #isBusy = false;

  protected override render(): TemplateResult {
    const names = Object.keys(this.schemas);
    const isStale = this.#error instanceof ApiError && this.#error.status === 412;
    return html`<form class="item-form" novalidate @submit=${this.#send}>
      ${names.map((name) => this.#field(name, this.schemas[name] ?? {}))}
      ${
        isStale
          ? html`<p class="notice" role="alert">${t('changedMeanwhile')}</p>`
          : html`<ats-problem .error=${this.#error} .fields=${names.flatMap((name) => [`/${name}`, ...partsOf(this.#error, `/${name}`)])}></ats-problem>`
      }
      <p class="actions">
        <button class="primary" ?disabled=${this.#isBusy}>${t('save')}</button>
        ${this.cancel ? html`<button type="button" @click=${this.cancel}>${t('cancel')}</button>` : nothing}
      </p>
    </form>`;
  }

  #field(name: string, schema: Schema): TemplateResult {
    const kind = fieldOf(schema);
    const typed = this.#typed.get(name);
    const hint = kind === 'lines' ? t('linesHint') : kind === 'json' ? t('jsonHint') : '';
    const help = html`${descriptionOf(schema.description ?? '')} ${hint}`;
    const choices = choicesOf(kind, name, schema);
    const lines = LINES[kind];
    const own = this.#inputErrors[name];
    return field({
      label: labelOf(name),
      name,
      value: typed ?? toInput(this.values[name], kind),
      ...((schema.description || hint) && { help }),
      error: this.#error,
      fault: own === undefined ? undefined : t('notJson', { reason: own }),
      hasParts: true,
      onInput: (text) => this.#type(name, text),
      ...(kind === 'date' && { type: 'date' }),
      ...(choices && { choices }),
      ...(lines && { lines }),
      ...(kind === 'json' && { isCode: true }),
    });
  }

  #type(name: string, text: string): void {
    this.#typed.set(name, text);
    this.dispatchEvent(new Event('draft-change'));
  }

  override get isEdited(): boolean {
    const { errors, changed } = this.#read();
    return Object.keys({ ...errors, ...changed }).length > 0;
  }

  /** The values that the user has changed. Leaves out fields whose text is not a valid value. */
  get draft(): Values {
    return this.#read().changed;
  }

  readonly #send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const changed = this.#changed();
    if (!changed) return this.#toFirstError();
    this.#isBusy = true;
    this.requestUpdate();
    try {
      await this.submit(changed);
      this.#typed.clear();
      this.#error = undefined;
    } catch (error) {
      this.#error = error;
    }
    this.#isBusy = false;
    this.requestUpdate();
    await this.#toFirstError();
  };

  async #toFirstError(): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  /** Returns the values that the user has changed. Undefined when the text of a field is not a valid value. */
  #changed(): Values | undefined {
    const { errors, changed } = this.#read();
    this.#inputErrors = errors;
    this.requestUpdate();
    return Object.keys(errors).length > 0 ? undefined : changed;
  }

  /** Converts the texts that the user has typed to values, and collects the errors of invalid texts. */
  #read(): { readonly errors: Readonly<Record<string, string>>; readonly changed: Values } {
    const errors: Record<string, string> = {};
    const changed: Record<string, unknown> = {};
    for (const [name, text] of this.#typed) {
      const schema = this.schemas[name] ?? {};
      try {
        if (text !== toInput(this.values[name], fieldOf(schema)))
          changed[name] = fromInput(text, fieldOf(schema), schema);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        errors[name] = error.message;
      }
    }
    return { errors, changed };
  }
}

function choicesOf(kind: Field, name: string, schema: Schema): readonly Choice[] | undefined {
  const none = { value: '', text: t('noValue') };
  if (kind === 'boolean') return [none, { value: 'true', text: t('yes') }, { value: 'false', text: t('no') }];
  return kind === 'choice'
    ? [none, ...valuesOf(schema).map((value) => ({ value, text: valueLabel(name, value) }))]
    : undefined;
}
