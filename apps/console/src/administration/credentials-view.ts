import { ApiError, type Violation } from '@ats/client';
import { Load } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement } from 'lit/decorators.js';
import { formatTime } from '../app/i18n.js';
import { allScopes, hasScope, me } from '../app/session.js';
import { ViewElement } from '../app/view.js';
import '../data/data.css';
import { read, send } from '../data/service.js';
import '../parts/call-button.js';
import { type Call } from '../parts/call-button.js';
import { dialog } from '../parts/dialog.js';
import { FormEdits } from '../parts/form-edits.js';
import { field, formValues } from '../parts/form-field.js';
import '../parts/problem.js';
import { submitOnce } from '../parts/submit-once.js';
import { copy, toast } from '../parts/toast.js';
import './administration.css';
import { countBelow, type Credential, familiesOf, type Family } from './lineage.js';
import { t } from './texts.js';
import { t as titles } from './titles.js';

const PATH = '/api/v1/credentials';
const CALL: Call = { method: 'GET', path: '/credentials', operation: 'credentialsList', query: { per_page: 1000 } };

const isAboutScopes = ({ path }: Violation): boolean => /^\/scopes(\/|$)/.test(path ?? '');

/**
 * Shows the credentials, each below its maker. A new token is shown once, and cannot be read after its dialog is
 * closed.
 */
@customElement('ats-credentials-view')
export class CredentialsView extends ViewElement {
  #isCreating = false;
  #token: string | undefined;
  #revoking: Family | undefined;
  /** The scopes that the form offers. */
  #grantable: readonly string[] = [];
  #error: unknown;
  readonly #edits = new FormEdits(this);
  readonly #credentials = new Load(this, () => read<readonly Credential[]>(PATH, { per_page: '1000' }));

  override get isEdited(): boolean {
    return this.#edits.isEdited;
  }

  protected override render(): TemplateResult {
    return html`<header class="row"><h1>${titles('credentials')}</h1>
        <span class="actions">
          ${
            hasScope('credentials:create')
              ? html`<button class="primary create"
                  @click=${() => this.#open({ isCreating: true })}>${t('newCredential')}</button>`
              : nothing
          }
          <ats-call-button .call=${CALL}></ats-call-button>
        </span>
      </header>
      <p class="muted">${t('credentialsHint')}</p>
      ${this.#credentials.render((credentials) => families(familiesOf(credentials), (family) => this.#entry(family)))}
      ${this.#isCreating ? this.#creation() : nothing}
      ${this.#revoking ? this.#question(this.#revoking) : nothing}`;
  }

  #creation(): TemplateResult {
    const content = this.#token === undefined ? this.#form() : this.#made(this.#token);
    return dialog({ title: t('newCredential'), close: () => this.#open({}), content });
  }

  #entry(family: Family): TemplateResult {
    const { id, name, key_id, scopes, last_used_dt } = family.credential;
    const state = stateOf(family.credential);
    return html`<div class="card" data-key=${key_id}>
      <div class="about"><strong dir="auto">${name}</strong> <code dir="ltr">${key_id}</code>
        <div class="muted"><bdi dir="ltr">${scopes.join(' ')}</bdi></div>
        <div class="muted">
          ${last_used_dt === null ? t('neverUsed') : t('lastUsed', { time: formatTime(last_used_dt) })}
        </div></div>
      ${id === me()?.id ? html`<span class="badge good">${t('own')}</span>` : nothing}
      <span class="badge ${state === 'active' ? 'good' : 'calm'}">${t(state)}</span>
      ${
        state === 'active' && hasScope('credentials:delete')
          ? html`<button class="danger" @click=${() => this.#open({ revoking: family })}>${t('revoke')}<span
              class="visually-hidden"> ${name}</span></button>`
          : nothing
      }
    </div>`;
  }

  #form(): TemplateResult {
    const error = this.#error;
    const scopeViolations = error instanceof ApiError ? error.violations.filter(isAboutScopes) : [];
    return html`<form novalidate @submit=${this.#create}>
      ${field({ label: t('name'), name: 'name', isRequired: true, error })}
      <fieldset class="scope-list" tabindex="0" aria-describedby="error-scopes">
        <legend>${t('scopes')}</legend>
        ${this.#grantable.map(
          (scope) =>
            html`<label class="check" dir="ltr"><input type="checkbox" name="scope" value=${scope} /> ${scope}</label>`,
        )}
      </fieldset>
      <small id="error-scopes" class="error" role="alert">${scopeViolations.map(({ info, code }) => info ?? code).join(' ')}</small>
      ${field({ label: t('expires'), name: 'expires_dt', type: 'datetime-local', error })}
      <ats-problem .error=${error} .fields=${['/name', '/expires_dt', ...scopeViolations.map(({ path }) => path)]}></ats-problem>
      <p class="actions"><button class="primary">${t('create')}</button></p>
    </form>`;
  }

  #made(token: string): TemplateResult {
    return html`<p role="status">${t('tokenOnce')}</p>
      <pre class="once" tabindex="0" dir="ltr">${token}</pre>
      <p class="actions"><button class="primary" @click=${() => copy(token)}>${t('copy')}</button></p>`;
  }

  #question(family: Family): TemplateResult {
    const { name } = family.credential;
    const count = countBelow(family);
    const content = html`<form @submit=${this.#revoke}>
      <p>${t('revokeHint', { count })}</p>
      ${
        count > 0
          ? html`<label class="check"><input type="checkbox" name="keep_children" /> ${t('keepChildren')}</label>`
          : nothing
      }
      <ats-problem .error=${this.#error}></ats-problem>
      <p class="actions"><button class="danger">${t('revoke')}</button></p>
    </form>`;
    return dialog({ title: t('revokeTitle', { name }), close: () => this.#open({}), content });
  }

  /** Opens one dialog, or closes all. The token in a closed dialog is deleted from memory. */
  #open({ isCreating = false, revoking }: { readonly isCreating?: boolean; readonly revoking?: Family }): void {
    // A credential cannot give a new credential scopes that it lacks itself. The list stays the same while the dialog
    // is open, so that the choices stay when the user has to sign in again.
    this.#grantable = allScopes().flatMap(({ scope }) => (hasScope(scope) ? [scope] : []));
    [this.#isCreating, this.#revoking, this.#token, this.#error] = [isCreating, revoking, undefined, undefined];
    this.requestUpdate();
  }

  readonly #create = submitOnce(async (event: Event) => {
    const form = event.target as HTMLFormElement;
    const { name = '', expires_dt } = formValues(form);
    const scopes = new FormData(form).getAll('scope').map(String);
    const body = { name, scopes, ...(expires_dt !== undefined && { expires_dt: new Date(expires_dt).toISOString() }) };
    try {
      this.#token = (await send<{ readonly token: string }>('post', PATH, { body })).data.token;
      this.#error = undefined;
      await this.#credentials.run();
    } catch (error) {
      this.#error = error;
    }
    this.requestUpdate();
  });

  readonly #revoke = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { credential } = this.#revoking as Family;
    const isKept = new FormData(event.target as HTMLFormElement).get('keep_children') !== null;
    try {
      await send('delete', `${PATH}/${credential.id}`, isKept ? { parameters: { keep_children: 'true' } } : {});
      this.#open({});
      toast(t('wasRevoked', { name: credential.name }));
      await this.#credentials.run();
    } catch (error) {
      this.#error = error;
      this.requestUpdate();
    }
  };
}

const families = (list: readonly Family[], entry: (family: Family) => TemplateResult): TemplateResult =>
  html`<ul class="entries">${list.map(
    (family) => html`<li>
    ${entry(family)} ${family.children.length > 0 ? families(family.children, entry) : nothing}
  </li>`,
  )}</ul>`;

function stateOf({ revoked_dt, expires_dt }: Credential): 'revoked' | 'expired' | 'active' {
  if (revoked_dt !== null) return 'revoked';
  return expires_dt !== null && new Date(expires_dt) < new Date() ? 'expired' : 'active';
}
