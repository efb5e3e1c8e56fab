import { ApiError, ConnectionError } from '@ats/client';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { t } from '../app/texts.js';
import { ConsoleElement } from '../app/view.js';

function titleOf(error: unknown): string {
  if (error instanceof ConnectionError) return t('problem.connection');
  if (!(error instanceof ApiError)) return t('problem.console');
  if (error.status === 429) return t('problem.busy');
  return error.status >= 500 ? t('problem.server') : t('problem.title');
}

/**
 * Shows an error of the service with the id of the request. Leaves out the violations that fields show. `.fields` has
 * the JSON pointers or parameters of these fields.
 */
@customElement('ats-problem')
export class ProblemBox extends ConsoleElement {
  @property({ attribute: false }) error: unknown;
  @property({ attribute: false }) fields: readonly string[] = [];
  /** Called by the button “Try again”. Without it, there is no button. */
  @property({ attribute: false }) retry: (() => unknown) | undefined;

  protected override render(): TemplateResult | typeof nothing {
    const { error } = this;
    if (error === undefined || error === null) return nothing;
    const [message = '', faults, requestId] =
      error instanceof ApiError
        ? [error.message.split('\n', 1)[0], error.faults, error.requestId]
        : [error instanceof Error && !(error instanceof ConnectionError) ? error.message : '', [], undefined];
    const others = faults.filter(({ path, parameter }) => !this.fields.includes(parameter ?? path ?? ''));
    return html`
      <div class="problem" role="alert">
        <strong>${titleOf(error)}</strong>
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
        ${requestId ? html`<small dir="auto">${t('problem.request', { id: requestId })}</small>` : nothing}
        ${this.retry ? html`<button type="button" @click=${this.retry}>${t('retry')}</button>` : nothing}
      </div>
    `;
  }
}

/** Returns the text of the violation at a JSON pointer, such as `/expression`. */
export function faultAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const fault = error.faults.find((candidate) => candidate.path === path);
  return fault && (fault.info ?? fault.code);
}
