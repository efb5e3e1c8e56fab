import {
  notificationEndpointsDelete,
  notificationEndpointsDisable,
  notificationEndpointsEnable,
  notificationEndpointsGet,
  notificationEndpointsGetMetrics,
  notificationEndpointsPing,
  notificationEndpointsRotateKey,
  type NotificationEndpointsWithKeys,
} from '@ats/client';
import { Load } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { formatTime } from '../app/i18n.js';
import { href, navigate } from '../app/router.js';
import { api, hasScope } from '../app/session.js';
import { t as common } from '../app/texts.js';
import { ViewElement } from '../app/view.js';
import '../parts/call-button.js';
import '../parts/chart.js';
import { closeNearest, dialog } from '../parts/dialog.js';
import { FormEdits } from '../parts/form-edits.js';
import { field, formValues } from '../parts/form-field.js';
import { submitOnce } from '../parts/submit-once.js';
import { toast } from '../parts/toast.js';
import './endpoint-settings.js';
import { attemptSeries, chartStart, healthBadge, hourLabels, latencySeries, milliseconds } from './health.js';
import { t as settings } from './settings-texts.js';
import { t } from './texts.js';

const DAY_SECONDS = 86_400;

/** Shows how the service authenticates itself at the destination, with a link to the client certificate. */
function authentication({
  type,
  certificate_id: id,
}: NotificationEndpointsWithKeys['authentication']): TemplateResult | typeof nothing {
  if (type === 'none') return nothing;
  const text = settings(`authentication.${type}`);
  return html`<dt>${settings('authentication')}</dt>
    <dd>${id === null ? text : html`<a href=${href(`data/client_certificates/${id}`)}>${text}</a>`}</dd>`;
}

/** Shows one endpoint: its health, charts, keys, test messages and settings. */
@customElement('ats-endpoint')
export class Endpoint extends ViewElement {
  @state() private error: unknown;
  @state() private isKeyShown = false;
  @state() private isRotating = false;
  @state() private isDeleting = false;
  /** The error of the open dialog. */
  @state() private dialogError: unknown;
  readonly #edits = new FormEdits(this);
  readonly #load = new Load(this, async (signal) => {
    const call = { client: api(), path: { id: this.#id }, signal };
    const [{ data: endpoint }, { data: metrics }] = await Promise.all([
      notificationEndpointsGet(call),
      notificationEndpointsGetMetrics({ ...call, query: { bucket: '1h', since_dt: chartStart() } }),
    ]);
    return { endpoint, metrics: metrics.items };
  });

  override get isEdited(): boolean {
    return this.#edits.isEdited;
  }

  get #id(): number {
    return Number(this.params['id']);
  }

  protected override render(): TemplateResult {
    const { data, error } = this.#load;
    const heading = error === undefined || data ? nothing : html`<h1>${t('endpoint')}</h1>`;
    return html`${heading}${this.#load.render(({ endpoint, metrics }) => {
      const { health } = endpoint;
      return html`
        <div class="row">
          <h1>${endpoint.name} ${healthBadge(endpoint)}</h1>
          <ats-call-button
            .call=${{ method: 'GET', path: `/notification_endpoints/${this.#id}`, operation: 'notificationEndpointsGet', params: { id: this.#id } }}
          ></ats-call-button>
        </div>
        <div class="actions">
          <a class="button" href=${href(`webhooks/log?endpoint=${this.#id}`)}>${t('openLog')}</a>
          ${hasScope('notifications:write') ? this.#actions(health.disabled_dt !== null) : nothing}
          ${
            hasScope('notifications:delete')
              ? html`<button class="danger" @click=${() => (this.isDeleting = true)}>${t('deleteEndpoint')}</button>`
              : nothing
          }
        </div>
        <ats-problem .error=${this.error}></ats-problem>
        <div class="cards">
          <div class="card">
            <ats-chart title=${t('latency')} unit="millisecond" .labels=${hourLabels()}
              .series=${latencySeries(metrics)}></ats-chart>
          </div>
          <div class="card">
            <ats-chart kind="bar" title=${t('attempts')} .labels=${hourLabels()}
              .series=${attemptSeries(metrics)}></ats-chart>
          </div>
        </div>
        <h2>${t('settings')}</h2>
        <div class="card">
          <dl>
            <dt>${t('lastSuccess')}</dt>
            <dd>${health.last_success_dt === null ? '–' : formatTime(health.last_success_dt)}</dd>
            <dt>${t('median')}, ${t('p99')}</dt>
            <dd>${milliseconds(health.latency_p50_ms)}, ${milliseconds(health.latency_p99_ms)}</dd>
            ${'authentication' in endpoint ? authentication(endpoint.authentication) : nothing}
            <dt>${t('signingKey')}</dt>
            <dd>${this.#key(t('signingKey'), 'signing_key' in endpoint ? endpoint.signing_key : null)}</dd>
            ${
              'next_signing_key' in endpoint && endpoint.next_signing_key !== null
                ? html`<dt>${t('nextKey')}</dt><dd>${this.#key(t('nextKey'), endpoint.next_signing_key)}</dd>`
                : nothing
            }
          </dl>
          ${
            hasScope('notifications:write') && 'ordering' in endpoint
              ? html`<ats-endpoint-settings .endpoint=${endpoint} @saved=${this.#saved}></ats-endpoint-settings>`
              : nothing
          }
        </div>
        ${this.isRotating ? this.#rotation() : nothing} ${this.isDeleting ? this.#deletion() : nothing}
      `;
    })}`;
  }

  #actions(isDisabled: boolean): TemplateResult {
    const call = (): { client: ReturnType<typeof api>; path: { id: number } } => ({
      client: api(),
      path: { id: this.#id },
    });
    return html`
      <button @click=${() => this.#do(() => notificationEndpointsPing(call()), t('pinged'))}>${t('ping')}</button>
      <button @click=${() => (this.isRotating = true)}>${t('rotate')}</button>
      ${
        isDisabled
          ? html`<button class="primary"
            @click=${() => this.#do(() => notificationEndpointsEnable(call()), t('saved'))}>${t('enable')}</button>`
          : html`<button class="danger"
            @click=${() => this.#do(() => notificationEndpointsDisable(call()), t('saved'))}>${t('disable')}</button>`
      }
    `;
  }

  #key(label: string, key: string | null): TemplateResult {
    if (key === null) return html`${t('hidden')}`;
    return this.isKeyShown
      ? html`<code dir="ltr">${key}</code>`
      : html`<button type="button" aria-label=${`${t('showKey')}: ${label}`}
        @click=${() => (this.isKeyShown = true)}>${t('showKey')}</button>`;
  }

  readonly #rotate = submitOnce(async (event: SubmitEvent) => {
    const body = { overlap_s: Number(formValues(event.target as HTMLFormElement)['overlap_s'] ?? DAY_SECONDS) };
    const call = { client: api(), path: { id: this.#id }, body };
    if (!(await this.#doInDialog(event, () => notificationEndpointsRotateKey(call)))) return;
    toast(t('rotated'));
    await this.#load.run();
  });

  #rotation(): TemplateResult {
    return dialog({
      title: t('rotate'),
      close: this.#closed,
      content: html`<form @submit=${this.#rotate}>
        ${field({
          label: t('overlap'),
          name: 'overlap_s',
          type: 'number',
          value: DAY_SECONDS,
          isRequired: true,
          error: this.dialogError,
        })}
        <ats-problem .error=${this.dialogError} .fields=${['/overlap_s']}></ats-problem>
        <button class="primary">${t('rotate')}</button>
      </form>`,
    });
  }

  #deletion(): TemplateResult {
    const remove = async (event: Event): Promise<void> => {
      const call = { client: api(), path: { id: this.#id } };
      if (await this.#doInDialog(event, () => notificationEndpointsDelete(call))) navigate('webhooks/endpoints');
    };
    return dialog({
      title: t('deleteEndpoint'),
      close: this.#closed,
      content: html`<p>${t('deleteEndpointSure')}</p>
        <ats-problem .error=${this.dialogError}></ats-problem>
        <div class="actions">
          <button class="danger" @click=${remove}>${t('delete')}</button>
          <button @click=${closeNearest}>${common('cancel')}</button>
        </div>`,
    });
  }

  readonly #closed = (): void => {
    this.isRotating = false;
    this.isDeleting = false;
    this.dialogError = undefined;
  };

  /** Runs an action, and then closes the dialog. After an error the dialog stays open. Returns true without an error. */
  async #doInDialog(event: Event, action: () => Promise<unknown>): Promise<boolean> {
    this.error = undefined;
    this.dialogError = undefined;
    try {
      await action();
    } catch (error) {
      this.dialogError = error;
      return false;
    }
    closeNearest(event);
    return true;
  }

  readonly #saved = (): void => {
    this.error = undefined;
    toast(t('saved'));
    void this.#load.run();
  };

  /** Runs an action, shows a message that it is done, and loads the endpoint again. */
  async #do(action: () => Promise<unknown>, done: string): Promise<void> {
    this.error = undefined;
    try {
      await action();
      toast(done);
      await this.#load.run();
    } catch (error) {
      this.error = error;
    }
  }
}
