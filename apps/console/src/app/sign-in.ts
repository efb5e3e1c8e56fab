import { ApiError } from '@ats/client';
import { html, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { formValues } from '../parts/form-field.js';
import '../parts/problem.js';
import { hasExpired, signIn } from './session.js';
import { t } from './texts.js';
import { ConsoleElement } from './view.js';

/** The sign-in form. It takes a token, or OAuth 2 client credentials. */
@customElement('ats-sign-in')
export class SignIn extends ConsoleElement {
  @state() private isOauth = false;
  @state() private isBusy = false;
  @state() private error: unknown;

  protected override render(): TemplateResult {
    const isUnknown = this.error instanceof ApiError && [400, 401].includes(this.error.status);
    return html`
      <form class="card sign-in" @submit=${this.#submit}>
        <h1>${t('signIn')}</h1>
        ${hasExpired() ? html`<p role="status" class="notice">${t('expired')}</p>` : ''}
        <p>${t('signInLead')}</p>
        ${
          this.isOauth
            ? html`<label class="field">
                <span>${t('keyId')}</span>
                <input name="keyId" required autocomplete="username" dir="ltr" aria-describedby="key-id-help" />
                <small id="key-id-help">${t('keyIdHelp')}</small>
              </label>`
            : ''
        }
        <label class="field">
          <span>${t('token')}</span>
          <input name="token" type="password" required autocomplete="current-password" dir="ltr"
            aria-invalid=${isUnknown} aria-describedby="token-error" />
          <small id="token-error" class="error" role="alert">${isUnknown ? t('refused') : ''}</small>
        </label>
        <label class="check">
          <input type="checkbox" .checked=${this.isOauth} @change=${() => (this.isOauth = !this.isOauth)} />
          ${t('withOauth')}
        </label>
        <ats-problem .error=${isUnknown ? undefined : this.error}></ats-problem>
        <button class="primary" ?disabled=${this.isBusy}>${t('signIn')}</button>
      </form>
    `;
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { token, keyId } = formValues(event.target as HTMLFormElement);
    this.isBusy = true;
    this.error = undefined;
    try {
      await signIn({ token: token ?? '', ...(keyId && { keyId }) });
    } catch (error) {
      this.error = error;
    } finally {
      this.isBusy = false;
    }
  };
}
