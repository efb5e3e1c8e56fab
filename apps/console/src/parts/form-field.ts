import { ApiError } from '@ats/client';
import { faultAt } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { t } from '../app/texts.js';

interface FieldOptions {
  readonly label: string;
  /** The name of the field in the form. By default, its errors have this name in their JSON pointer. */
  readonly name: string;
  readonly value?: string | number | null | undefined;
  readonly type?: 'text' | 'url' | 'number' | 'email' | 'password' | 'date' | 'datetime-local' | 'search';
  readonly isRequired?: boolean;
  readonly help?: string | TemplateResult;
  /** The error of the last request. The field shows the violation at `path`. */
  readonly error?: unknown;
  /** The JSON pointer of the field's value in the body. Defaults to `/<name>`. */
  readonly path?: string;
  /** The choices. When they are present, the field is a list of choices and not an input. */
  readonly choices?: readonly { readonly value: string; readonly text: string }[];
  /** Number of lines. When it is present, the field is a text area. */
  readonly lines?: number;
  /** True when the text is code, which is written from left to right in every language. */
  readonly isCode?: boolean;
  /** A fault that the console found itself. It takes precedence over the error of the service. */
  readonly fault?: string | undefined;
  /** True when the field also shows the violations inside its value, such as `/sections/0/type`. */
  readonly hasParts?: boolean;
  readonly onInput?: (value: string) => void;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A field with its label, its help, and the service's error for it. */
export function field(options: FieldOptions): TemplateResult {
  const { label, name, help, error, path = `/${name}`, isRequired = false } = options;
  const faults = [
    options.fault ?? firstLine(faultAt(error, path)),
    ...(options.hasParts ? partFaults(error, path) : []),
  ];
  const fault = faults.filter((text) => text !== undefined).join(' ') || undefined;
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

/** Returns the first line of a fault. The lines below it only repeat the text of the field. */
export const firstLine = (fault: string | undefined): string | undefined => fault?.split('\n', 1)[0];

/** Returns the JSON pointers below `path` at which the service found a violation. */
export const partsOf = (error: unknown, path: string): readonly string[] =>
  error instanceof ApiError
    ? error.violations.flatMap((fault) => (fault.path?.startsWith(`${path}/`) ? [fault.path] : []))
    : [];

const partFaults = (error: unknown, path: string): readonly string[] =>
  partsOf(error, path).map((part) => `${part}: ${firstLine(faultAt(error, part)) ?? ''}`);

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

/** Returns the values of a form by name. Empty values are left out. */
export function formValues(form: HTMLFormElement): Readonly<Record<string, string>> {
  const entries = [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']);
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as Readonly<Record<string, string>>;
}
