import { ApiError, ConnectionError } from '@ats/client';
import { html, nothing, type TemplateResult } from 'lit';
import { type Language } from './languages.js';
import { partText } from './part-texts.js';

interface ProblemOptions {
  /**
   * The JSON pointers and parameters that have fields of their own. Faults at them are left out, because they are shown
   * next to the fields.
   */
  readonly fields?: readonly string[];
  /** Called by the button “Try again”. Without it, there is no button. */
  readonly retry?: (() => unknown) | undefined;
}

function titleOf(error: unknown) {
  if (error instanceof ConnectionError) return 'problem.connection';
  if (!(error instanceof ApiError)) return 'problem.page';
  if (error.status === 429) return 'problem.busy';
  return error.status >= 500 ? 'problem.server' : 'problem.title';
}

/** Shows an error of the service with the id of the request. */
export function problemBox(
  language: Language,
  error: unknown,
  { fields = [], retry }: ProblemOptions = {},
): TemplateResult | typeof nothing {
  if (error === undefined || error === null) return nothing;
  const [message = '', faults, requestId] =
    error instanceof ApiError
      ? [error.message.split('\n', 1)[0], error.violations, error.requestId]
      : [error instanceof Error && !(error instanceof ConnectionError) ? error.message : '', [], undefined];
  const others = faults.filter(({ path, parameter }) => !fields.some((field) => isIn(parameter ?? path ?? '', field)));
  return html`
    <div class="problem" role="alert">
      <strong>${partText(language, titleOf(error))}</strong>
      ${message ? html`<p>${message}</p>` : nothing}
      ${
        others.length > 0
          ? html`<ul>
            ${others.map(
              ({ path, parameter, info, code }) =>
                html`<li><code dir="ltr">${parameter ?? path}</code> ${info ?? code}</li>`,
            )}
          </ul>`
          : nothing
      }
      ${requestId ? html`<small dir="auto">${partText(language, 'problem.request', { id: requestId })}</small>` : nothing}
      ${retry ? html`<button type="button" @click=${retry}>${partText(language, 'retry')}</button>` : nothing}
    </div>
  `;
}

/** True when a violation is at a JSON pointer or inside its value. */
const isIn = (path: string, field: string): boolean => path === field || path.startsWith(`${field}/`);

/**
 * Returns the text of the violations at a JSON pointer, such as `/expression`. Violations inside its value begin with
 * their names.
 */
export function faultAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const texts = error.violations
    .filter((fault) => isIn(fault.path ?? '', path))
    .map(({ path: place = '', info, code }) => {
      const name = place?.slice(path.length + 1);
      return name ? `${name}: ${info ?? code}` : (info ?? code);
    });
  return texts.length === 0 ? undefined : texts.join(' ');
}
