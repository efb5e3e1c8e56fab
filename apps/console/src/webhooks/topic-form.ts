import { type ExpressionEditor } from '@ats/elements';
import { type EventType, notificationTopicsPreview, type NotificationTopicPreview } from '@ats/client';
import { faultAt } from '@ats/elements/parts';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { formatTime } from '../app/i18n.js';
import { api, hasScope } from '../app/session.js';
import { ConsoleElement } from '../app/view.js';
import '../data/object-preview.js';
import '../parts/elements.js';
import { field, firstLine } from '../parts/form-field.js';
import { t } from './texts.js';

/** The values that a topic form edits. */
export interface TopicDraft {
  readonly type: EventType['type'];
  readonly name: string;
  readonly expression: string;
}

const LIMIT = 50;
const OBJECTS = '/api/v1/notification_topics/objects/preview';

/** The fields of a topic, with a preview of past events. It changes `.draft` and dispatches `draft-change`. */
@customElement('ats-topic-form')
export class TopicForm extends ConsoleElement {
  @property({ attribute: false }) draft: TopicDraft = { type: 'APPLICATION_CREATE', name: '', expression: '' };
  @property({ attribute: false }) types: readonly EventType[] = [];
  @property({ attribute: false }) error: unknown;
  @state() private preview: NotificationTopicPreview | undefined;
  @state() private previewError: unknown;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('error')) this.previewError = undefined;
  }

  protected override render(): TemplateResult {
    const { draft, types } = this;
    const error = this.previewError ?? this.error;
    const type = types.find((candidate) => candidate.type === draft.type);
    return html`
      ${field({ label: t('name'), name: 'name', value: draft.name, isRequired: true, error, onInput: (name) => this.#change({ name }) })}
      ${field({
        label: t('type'),
        name: 'type',
        value: draft.type,
        choices: types.map((one) => ({ value: one.type, text: one.type })),
        help: type?.description ?? '',
        error,
        onInput: (value) => this.#change({ type: value as TopicDraft['type'] }),
      })}
      <ats-expression-editor .client=${api()} .language=${this.language} .value=${draft.expression} .root=${type?.root ?? ''}
        .fault=${firstLine(faultAt(error, '/expression'))}
        @input=${(event: Event) => this.#change({ expression: (event.currentTarget as ExpressionEditor).value })}></ats-expression-editor>
      <ats-problem .error=${error} .fields=${['/name', '/type', '/expression']}></ats-problem>
      ${hasScope('notifications:write') ? this.#previews() : nothing}
    `;
  }

  /**
   * Renders both previews. They need the scope that allows writing topics, because they show values of other resources.
   */
  #previews(): TemplateResult {
    return html`${this.#objects()}
      <p class="actions"><button type="button" @click=${this.#preview}>${t('preview')}</button></p>
      ${this.preview ? this.#result(this.preview) : nothing}`;
  }

  /**
   * Renders the objects that would match the expression now. Renders nothing for CHANGED and WAS, because they concern
   * events.
   */
  #objects(): TemplateResult | typeof nothing {
    const { type, expression } = this.draft;
    if (expression.trim() === '' || /\b(CHANGED|WAS)\b/.test(expression)) return nothing;
    return html`<section aria-labelledby="objects-heading">
      <h2 id="objects-heading">${t('objectsNow')}</h2>
      <ats-object-preview .path=${OBJECTS} .more=${{ type }} .expression=${expression}></ats-object-preview>
    </section>`;
  }

  #change(values: Partial<TopicDraft>): void {
    this.draft = { ...this.draft, ...values };
    this.dispatchEvent(new Event('draft-change'));
  }

  #result({ matched, evaluated, events }: NotificationTopicPreview): TemplateResult {
    return html`
      <p role="status"><strong>${t('previewResult', { matched, evaluated })}</strong></p>
      ${events.slice(0, LIMIT).map(
        (event) => html`
          <details class="card">
            <summary>
              ${formatTime(event.occurred_dt)}
              ${
                event.matched === null
                  ? html`<span class="badge calm">${t('unknown')}</span>`
                  : html`<span class=${`badge ${event.matched ? 'good' : 'calm'}`}>${t(event.matched ? 'matches' : 'matchesNot')}</span>`
              }
            </summary>
            <h3>${t('values')}</h3>
            <dl>${Object.entries(event.values).map(([path, value]) => html`<dt><code dir="ltr">${path}</code></dt><dd><bdi>${JSON.stringify(value)}</bdi></dd>`)}</dl>
          </details>
        `,
      )}
    `;
  }

  readonly #preview = async (): Promise<void> => {
    const { type, expression } = this.draft;
    this.previewError = undefined;
    try {
      const body = { type, expression: expression.trim() || null, limit: LIMIT };
      const { data } = await notificationTopicsPreview({ client: api(), body });
      this.preview = 'events' in data ? (data as NotificationTopicPreview) : undefined;
    } catch (error) {
      this.previewError = error;
    }
  };
}
