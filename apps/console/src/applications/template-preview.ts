import { Load } from '@ats/elements/parts';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { ConsoleElement } from '../app/view.js';
import { read, readCatalogue, send } from '../data/service.js';
import { nameOf } from '../data/values.js';
import { field } from '../parts/form-field.js';
import '../parts/problem.js';
import './applications.css';
import { type Filled, mailPreview } from './mail-preview.js';
import { t } from './texts.js';
import { t as titles } from './titles.js';

/** The texts of a template that the user has typed but not saved. */
export interface Draft {
  readonly type: string;
  readonly subject?: string;
  readonly body: string;
}
interface Listed {
  readonly id: number;
  readonly user: Readonly<Record<string, unknown>>;
  readonly opportunity: { readonly title: string };
}

const COLLECTIONS = ['/api/v1/vacancy_applications', '/api/v1/event_applications'];
const NEWEST = { sort: 'application.id!desc', per_page: '20' };
/** The preview sends its request only after a pause of this length in ms, not for each typed character. */
const PAUSE_MS = 600;

/** Shows a message template as the candidate of a chosen application would read it. */
@customElement('ats-template-preview')
export class TemplatePreview extends ConsoleElement {
  @property({ type: Number }) template = 0;
  /** The typed texts, which the preview shows in place of the stored texts. */
  @property({ attribute: false }) draft: Draft | undefined;
  /** The path of the chosen application. */
  @state() private chosen = '';
  @state() private filled: Filled | undefined;
  @state() private error: unknown;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #abort: AbortController | undefined;
  readonly #applications = new Load(this, async () => {
    const { mayCall } = await readCatalogue();
    const paths = COLLECTIONS.filter((path) => mayCall('GET', path) && mayCall('POST', `${path}/{id}/comms/preview`));
    const lists = await Promise.all(
      paths.map(async (path) =>
        (await read<readonly Listed[]>(path, NEWEST)).map(({ id, user, opportunity }) => ({
          value: `${path}/${id}`,
          text: `${nameOf(user)}: ${opportunity.title}`,
        })),
      ),
    );
    const choices = lists.flat();
    this.chosen = choices[0]?.value ?? '';
    return choices;
  });

  override disconnectedCallback(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    super.disconnectedCallback();
  }

  protected override updated(changed: PropertyValues): void {
    if (this.chosen === '' || !(changed.has('chosen') || changed.has('draft'))) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#fill(), changed.has('draft') ? PAUSE_MS : 0);
  }

  protected override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="preview-heading">
      <h2 id="preview-heading">${t('preview')}</h2>
      ${this.#applications.render((choices) =>
        choices.length === 0
          ? html`<p>${t('noPreview')}</p>`
          : field({
              label: titles('application'),
              name: 'application',
              choices,
              value: this.chosen,
              onInput: (path) => (this.chosen = path),
            }),
      )}
      <ats-problem .error=${this.error}></ats-problem>
      ${this.filled ? mailPreview(this.filled, nothing) : nothing}
    </section>`;
  }

  async #fill(): Promise<void> {
    this.#abort?.abort();
    const { signal } = (this.#abort = new AbortController());
    const body = this.draft ?? { template_id: this.template };
    try {
      const { data } = await send<Filled>('post', `${this.chosen}/comms/preview`, { body, signal });
      if (!signal.aborted) [this.filled, this.error] = [data, undefined];
    } catch (error) {
      if (!signal.aborted) [this.filled, this.error] = [undefined, error];
    }
  }
}
