import { html, nothing, type TemplateResult } from 'lit';
import { type Item } from './answers.js';
import { t } from './texts.js';

const LONG_TYPES = ['textarea', 'rich_text', 'multi_select'];

interface QuestionOptions {
  readonly item: Item;
  /** The answer as the text of the field. Each of several choices has a line of its own. */
  readonly value: string;
  /** False for a question whose condition does not hold. Undefined when the condition needs an unknown value. */
  readonly isVisible: boolean | undefined;
  readonly isDisabled?: boolean;
  readonly fault?: string | undefined;
  readonly onInput: (text: string) => void;
}

/** A question of a form with the control for its answer. A hidden question has no field. */
export function questionField(options: QuestionOptions): TemplateResult | typeof nothing {
  const { item, isVisible, fault } = options;
  if (isVisible === false) return nothing;
  const { id, key, label, required, visible_if } = item;
  const name = `item-${id}`;
  return html`<div class="field" data-item=${key}>
    <label for=${name}><bdi>${label}</bdi>${required ? ' *' : nothing}</label>
    ${control(name, options)}
    ${
      visible_if === null || isVisible
        ? nothing
        : html`<small>${t('visibleIf', { condition: '' })}<code dir="ltr">${visible_if}</code></small>`
    }
    <small id=${`${name}-error`} class="error" role="alert">${fault ?? ''}</small>
  </div>`;
}

function control(name: string, { item, value, isDisabled = false, fault, onInput }: QuestionOptions): TemplateResult {
  const { type, options } = item;
  const isInvalid = fault !== undefined;
  const typed = (event: Event): void => {
    const input = event.target as HTMLInputElement | HTMLSelectElement;
    const chosen =
      input instanceof HTMLSelectElement ? [...input.selectedOptions].map((one) => one.value) : [input.value];
    onInput(chosen.join('\n'));
  };
  if (type === 'boolean' || type === 'single_select' || type === 'multi_select') {
    const choices = type === 'boolean' ? BOOLEANS() : options;
    const chosen = value.split('\n');
    return html`<select id=${name} ?multiple=${type === 'multi_select'} ?disabled=${isDisabled}
      aria-invalid=${isInvalid} aria-describedby=${`${name}-error`} @change=${typed}>
      ${type === 'multi_select' ? nothing : html`<option value="">${t('none')}</option>`}
      ${choices.map(
        (choice) =>
          html`<option value=${choice.value} ?selected=${chosen.includes(choice.value)}>${choice.label}</option>`,
      )}
    </select>`;
  }
  if (LONG_TYPES.includes(type))
    return html`<textarea id=${name} rows="4" ?disabled=${isDisabled} aria-invalid=${isInvalid}
      aria-describedby=${`${name}-error`} dir="auto" .value=${value} @input=${typed}></textarea>`;
  return html`<input id=${name} type=${type === 'date' ? 'date' : 'text'} ?disabled=${isDisabled}
    aria-invalid=${isInvalid} aria-describedby=${`${name}-error`} dir="auto" .value=${value} @input=${typed} />`;
}

const BOOLEANS = () => [
  { value: 'true', label: t('yes') },
  { value: 'false', label: t('no') },
];
