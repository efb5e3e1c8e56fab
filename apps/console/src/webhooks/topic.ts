import {
  type EventType,
  notificationTopicsCreate,
  notificationTopicsDelete,
  notificationTopicsGet,
  notificationTopicsPatch,
  referenceListEventTypes,
} from '@ats/client';
import { Load } from '@ats/elements/parts';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { navigate } from '../app/router.js';
import { api, hasScope } from '../app/session.js';
import { t as common } from '../app/texts.js';
import { ViewElement } from '../app/view.js';
import '../parts/call-button.js';
import { closeNearest, dialog } from '../parts/dialog.js';
import { submitOnce } from '../parts/submit-once.js';
import { toast } from '../parts/toast.js';
import { t } from './texts.js';
import './topic-form.js';
import './topic-subscriptions.js';
import { type TopicDraft, type TopicForm } from './topic-form.js';

const NEW: TopicDraft = { type: 'APPLICATION_CREATE', name: '', expression: '' };

/** Shows a form that creates a topic, or edits one. */
@customElement('ats-topic')
export class Topic extends ViewElement {
  @state() private draft: TopicDraft = NEW;
  /** The values of the topic as the service has stored them. */
  #saved: TopicDraft = NEW;
  @state() private error: unknown;
  @state() private isDeleting = false;
  readonly #load = new Load(this, async (signal) => {
    const { data: types } = await referenceListEventTypes({ client: api(), signal });
    if (this.#id === undefined) return { types };
    const { data: topic } = await notificationTopicsGet({ client: api(), path: { id: this.#id }, signal });
    this.#saved = this.draft = { type: topic.type, name: topic.name, expression: topic.expression ?? '' };
    return { types };
  });

  /** The topic to edit. Undefined when the form creates a topic. */
  get #id(): number | undefined {
    return this.params['id'] === undefined ? undefined : Number(this.params['id']);
  }

  override get isEdited(): boolean {
    const { draft } = this;
    const names = Object.keys(NEW) as (keyof TopicDraft)[];
    return names.some((name) => draft[name] !== this.#saved[name]);
  }

  protected override render(): TemplateResult {
    const id = this.#id;
    const name = this.draft.name || (this.#load.isLoading ? '' : t('topic'));
    return html`
      <div class="row">
        <h1>${id === undefined ? t('newTopic') : name}</h1>
        <ats-call-button .call=${this.#call()}></ats-call-button>
      </div>
      ${this.#load.render(
        ({ types }) => html`
          ${id === undefined || hasScope('notifications:write') ? this.#form(types) : this.#properties()}
        `,
      )}
      ${id === undefined ? nothing : html`<ats-topic-subscriptions .topicId=${id}></ats-topic-subscriptions>`}
      ${this.isDeleting ? this.#deletion() : nothing}
    `;
  }

  #form(types: readonly EventType[]): TemplateResult {
    return html`<form class="card" @submit=${this.#save}>
      <ats-topic-form .draft=${this.draft} .types=${types} .error=${this.error}
        @draft-change=${(event: Event) => (this.draft = (event.target as TopicForm).draft)}></ats-topic-form>
      <div class="actions">
        <button class="primary">${this.#id === undefined ? t('createTopic') : t('save')}</button>
        ${this.#deleteButton()}
      </div>
    </form>`;
  }

  /** Renders the topic without a form, for a credential that may not change it. */
  #properties(): TemplateResult {
    const { name, type, expression } = this.draft;
    return html`<div class="card">
      <dl>
        <dt>${t('name')}</dt><dd dir="auto">${name}</dd>
        <dt>${t('type')}</dt><dd><code dir="ltr">${type}</code></dd>
        <dt>${t('expression')}</dt><dd><code dir="ltr">${expression || '–'}</code></dd>
      </dl>
      <ats-problem .error=${this.error}></ats-problem>
      <div class="actions">${this.#deleteButton()}</div>
    </div>`;
  }

  #deleteButton(): TemplateResult | typeof nothing {
    return this.#id !== undefined && hasScope('notifications:delete')
      ? html`<button type="button" class="danger" @click=${() => (this.isDeleting = true)}>${t('delete')}</button>`
      : nothing;
  }

  #call(): object {
    const body = bodyOf(this.draft);
    if (this.#id !== undefined && !hasScope('notifications:write'))
      return {
        method: 'GET',
        path: `/notification_topics/${this.#id}`,
        operation: 'notificationTopicsGet',
        params: { id: this.#id },
      };
    return this.#id === undefined
      ? { method: 'POST', path: '/notification_topics', operation: 'notificationTopicsCreate', body }
      : {
          method: 'PATCH',
          path: `/notification_topics/${this.#id}`,
          operation: 'notificationTopicsPatch',
          params: { id: this.#id },
          body,
        };
  }

  #deletion(): TemplateResult {
    const remove = async (event: Event): Promise<void> => {
      closeNearest(event);
      try {
        await notificationTopicsDelete({ client: api(), path: { id: Number(this.#id) } });
        this.#saved = this.draft;
        navigate('webhooks/topics');
      } catch (error) {
        this.error = error;
      }
    };
    return dialog({
      title: t('delete'),
      close: () => (this.isDeleting = false),
      content: html`<p>${t('deleteTopicSure')}</p>
        <div class="actions">
          <button class="danger" @click=${remove}>${t('delete')}</button>
          <button @click=${closeNearest}>${common('cancel')}</button>
        </div>`,
    });
  }

  readonly #save = submitOnce(async () => {
    this.error = undefined;
    const { draft } = this;
    const body = bodyOf(draft);
    try {
      const { data } =
        this.#id === undefined
          ? await notificationTopicsCreate({ client: api(), body })
          : await notificationTopicsPatch({ client: api(), path: { id: this.#id }, body });
      this.#saved = draft;
      toast(t('saved'));
      if (this.#id === undefined) navigate(`webhooks/topics/${data.id}`);
    } catch (error) {
      this.error = error;
    }
  });
}

const bodyOf = ({ type, name, expression }: TopicDraft) => ({ type, name, expression: expression.trim() || null });
