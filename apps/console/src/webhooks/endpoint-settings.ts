import { notificationEndpointsPatch, type NotificationEndpointsWithKeys } from '@ats/client';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { api } from '../app/session.js';
import { ConsoleElement } from '../app/view.js';
import { FormEdits } from '../parts/form-edits.js';
import { field, formValues } from '../parts/form-field.js';
import '../parts/problem.js';
import { submitOnce } from '../parts/submit-once.js';
import './certificate-choice.js';
import { type CertificateChoice } from './certificate-choice.js';
import './certificate-form.js';
import { type CertificateEvent } from './certificate-form.js';
import { headerLines, patchOf } from './endpoint-patch.js';
import { t } from './settings-texts.js';
import { t as common } from './texts.js';

const ORDERINGS = ['subject', 'none', 'strict'] as const;
const WAYS = ['none', 'oauth2_client_credentials', 'client_certificate'] as const;
/** The JSON pointers of the fields. Each field shows its own violations. */
const FIELDS = [
  '/name',
  '/destination_url',
  '/ordering',
  '/throttle/limit',
  '/throttle/per_s',
  '/batch/max',
  '/batch/wait_ms',
  '/custom_headers',
  '/authentication/token_url',
  '/authentication/client_id',
  '/authentication/client_secret',
  '/authentication/scope',
  '/authentication/certificate_id',
];

/** The settings of an endpoint. It dispatches `saved` after a change. */
@customElement('ats-endpoint-settings')
export class EndpointSettings extends ConsoleElement {
  @property({ attribute: false }) endpoint!: NotificationEndpointsWithKeys;
  @state() private error: unknown;
  /** The chosen way to authenticate, whose fields are shown. */
  @state() private way: string | undefined;
  /** True while the dialog for a new client certificate is open. */
  @state() private isAdding = false;
  readonly #edits = new FormEdits(this);

  override get isEdited(): boolean {
    return this.#edits.isEdited;
  }

  protected override render(): TemplateResult {
    const { endpoint, error } = this;
    return html`<form class="settings" @submit=${this.#save}>
      ${field({ label: common('name'), name: 'name', value: endpoint.name, isRequired: true, error })}
      ${field({
        label: common('destination'),
        name: 'destination_url',
        type: 'url',
        value: endpoint.destination_url,
        help: common('destinationHelp'),
        error,
      })}
      ${field({
        label: t('ordering'),
        name: 'ordering',
        value: endpoint.ordering,
        choices: ORDERINGS.map((value) => ({ value, text: t(`ordering.${value}`) })),
        error,
      })}
      ${this.#pair(
        'throttle',
        t('noLimitHelp'),
        ['limit', t('limit'), endpoint.throttle?.limit],
        ['per_s', t('perSeconds'), endpoint.throttle?.per_s],
      )}
      ${this.#pair(
        'batch',
        t('noBatchHelp'),
        ['max', t('maxMessages'), endpoint.batch?.max],
        ['wait_ms', t('waitMs'), endpoint.batch?.wait_ms],
      )}
      ${field({
        label: t('headers'),
        name: 'custom_headers',
        value: headerLines(endpoint.custom_headers),
        help: t('headersHelp', { example: 'x-api-key: 1234' }),
        lines: 3,
        isCode: true,
        error,
      })}
      ${this.#authentication()}
      <ats-problem .error=${error} .fields=${FIELDS}></ats-problem>
      <button class="primary">${common('save')}</button>
    </form>
    ${
      this.isAdding
        ? html`<ats-certificate-form @stored=${this.#choose}
            @closed=${() => (this.isAdding = false)}></ats-certificate-form>`
        : nothing
    }`;
  }

  /** Renders a group of two number fields, such as the limit and the window of a rate limit. */
  #pair(name: 'throttle' | 'batch', help: string, ...numbers: readonly NumberField[]): TemplateResult {
    return html`<fieldset>
      <legend>${t(name)}</legend>
      <div class="cards">
        ${numbers.map(([key, label, value]) =>
          field({ label, name: key, path: `/${name}/${key}`, type: 'number', value, error: this.error }),
        )}
      </div>
      <small>${help}</small>
    </fieldset>`;
  }

  #authentication(): TemplateResult {
    const { authentication: present } = this.endpoint;
    const { error, way = present.type } = this;
    const part = (name: string, label: string, value: string | number | null, more: object = {}): TemplateResult =>
      field({ label, name, path: `/authentication/${name}`, value, error, ...more });
    const fields =
      way === 'oauth2_client_credentials'
        ? [
            part('token_url', t('tokenUrl'), present.token_url, { type: 'url', isRequired: true }),
            part('client_id', t('clientId'), present.client_id, { isRequired: true }),
            part('client_secret', t('clientSecret'), '', { type: 'password', help: t('clientSecretHelp') }),
            part('scope', t('scope'), present.scope),
          ]
        : way === 'client_certificate'
          ? html`<ats-certificate-choice .value=${present.certificate_id} .error=${error}
              @add=${() => (this.isAdding = true)}></ats-certificate-choice>`
          : nothing;
    return html`<fieldset>
      <legend>${t('authentication')}</legend>
      ${field({
        label: t('authentication'),
        name: 'authentication',
        value: way,
        choices: WAYS.map((value) => ({ value, text: t(`authentication.${value}`) })),
        onInput: (value) => (this.way = value),
      })}
      ${fields}
    </fieldset>`;
  }

  readonly #choose = ({ certificateId }: CertificateEvent): void => void this.#choice?.choose(certificateId);

  get #choice(): CertificateChoice | null {
    return this.querySelector<CertificateChoice>('ats-certificate-choice');
  }

  readonly #save = submitOnce(async (event: SubmitEvent) => {
    this.error = undefined;
    const body = patchOf(formValues(event.target as HTMLFormElement), this.endpoint);
    try {
      await notificationEndpointsPatch({ client: api(), path: { id: this.endpoint.id }, body });
      this.way = undefined;
      this.#edits.saved();
      this.#choice?.saved();
      this.dispatchEvent(new Event('saved'));
    } catch (error) {
      this.error = error;
    }
  });
}

/** A number field: the name of its property, its label, and its present value. */
type NumberField = readonly [name: string, label: string, value: number | undefined];
