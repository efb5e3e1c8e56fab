import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { t } from '../app/texts.js';
import { faultAt } from './problem.js';

interface FieldOptions {
  readonly label: string;
  /** The name in the form, and the last part of the JSON pointer of its faults. */
  readonly name: string;
  readonly value?: string | number | null | undefined;
  readonly type?: 'text' | 'url' | 'number' | 'email' | 'password' | 'date' | 'datetime-local' | 'search';
  readonly isRequired?: boolean;
  readonly help?: string | TemplateResult;
  /** The error of the last request. Its fault at `path` is shown next to the field. */
  readonly error?: unknown;
  /** The JSON pointer of the field in the body. Defaults to `/<name>`. */
  readonly path?: string;
  /** Shows a list of choices in place of an input. */
  readonly choices?: readonly { readonly value: string; readonly text: string }[];
  /** Number of lines. Shows a text area in place of an input. */
  readonly lines?: number;
  /** The text is code: it is written from left to right in every language. */
  readonly isCode?: boolean;
  readonly onInput?: (value: string) => void;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A labelled field with its help, and with the error that the service has for it. */
export function field(options: FieldOptions): TemplateResult {
  const { label, name, help, error, path = `/${name}`, isRequired = false } = options;
  const fault = faultAt(error, path);
  return html`
    <div class="field" data-path=${path}>
      <label for=${`field-${name}`}>
        ${label}${isRequired ? html` <small>(${t('required')})</small>` : nothing}
      </label>
      ${control(options, fault !== undefined)}
      ${help ? html`<small id=${`help-${name}`}>${help}</small>` : nothing}
      <small id=${`error-${name}`} class="error" role="alert">${fault ?? ''}</small>
    </div>
  `;
}

function control(options: FieldOptions, isInvalid: boolean): TemplateResult {
  const { name, value, type = 'text', isRequired = false, help, choices, lines, isCode, onInput } = options;
  const id = `field-${name}`;
  const described = `${help ? `help-${name} ` : ''}error-${name}`;
  const input = (event: Event): void => onInput?.((event.target as Control).value);
  if (choices)
    return html`<select id=${id} name=${name} ?required=${isRequired} aria-invalid=${isInvalid}
      aria-describedby=${described} @change=${input}>
      ${choices.map(
        (choice) =>
          html`<option value=${choice.value} ?selected=${choice.value === String(value ?? '')}>${choice.text}</option>`,
      )}
    </select>`;
  if (lines)
    return html`<textarea id=${id} name=${name} rows=${lines} ?required=${isRequired} aria-invalid=${isInvalid}
      aria-describedby=${described} class=${isCode ? 'mono' : ''} dir=${isCode ? 'ltr' : 'auto'}
      .value=${String(value ?? '')} @input=${input}></textarea>`;
  return html`<input id=${id} name=${name} type=${type} ?required=${isRequired} aria-invalid=${isInvalid}
    aria-describedby=${described} dir=${ifDefined(type === 'url' ? 'ltr' : undefined)} .value=${String(value ?? '')} @input=${input} />`;
}

/** The values of a form by name, without empty ones. */
export function formValues(form: HTMLFormElement): Readonly<Record<string, string>> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']);
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as Readonly<Record<string, string>>;
}
