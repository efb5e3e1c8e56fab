import { Load } from '@ats/elements/parts';
import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatTime } from '../app/i18n.js';
import { ConsoleElement } from '../app/view.js';
import { read, send } from '../data/service.js';
import '../parts/problem.js';
import { toast } from '../parts/toast.js';
import { changed } from './changed.js';
import { t } from './texts.js';

interface State {
  readonly state: string;
  readonly name: string;
}
interface PresentState extends State {
  readonly entered_dt: string;
  readonly is_terminal: boolean;
  readonly allowed: readonly State[];
}

/** The state of an application, with a button for each state that may follow. */
@customElement('ats-application-moves')
export class ApplicationMoves extends ConsoleElement {
  @property() path = '';
  @property({ type: Boolean }) isWritable = false;
  #comment = '';
  #error: unknown;
  readonly #state = new Load(this, () => read<PresentState>(`${this.path}/process_state`));

  protected override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="state-heading">
      <h2 id="state-heading">${t('state')}</h2>
      ${this.#state.render(
        (state) => html`
        <p><strong class="badge state">${state.name}</strong> <span
          class="muted">${t('since', { time: formatTime(state.entered_dt) })}</span></p>
        ${this.isWritable ? this.#moves(state) : ''}
      `,
      )}
      <ats-problem .error=${this.#error}></ats-problem>
    </section>`;
  }

  #moves(state: PresentState): TemplateResult {
    if (state.allowed.length === 0) return html`<p>${t('noMoves')}</p>`;
    return html`
      <label class="field"><span>${t('comment')}</span>
        <input maxlength="10000" .value=${this.#comment}
          @input=${(event: Event) => (this.#comment = (event.target as HTMLInputElement).value)} /></label>
      <div class="actions" role="group" aria-label=${t('moveTo')}>
        <span>${t('moveTo')}</span>
        ${state.allowed.map(
          (next) => html`<button type="button" data-state=${next.state}
            @click=${() => this.#move(state, next)}>${next.name}</button>`,
        )}
      </div>`;
  }

  async #move({ state }: PresentState, next: State): Promise<void> {
    const body = { state: next.state, from_state: state, ...(this.#comment !== '' && { comment: this.#comment }) };
    try {
      await send('put', `${this.path}/process_state`, { body });
      this.#comment = '';
      this.#error = undefined;
      toast(t('moved', { state: next.name }));
      this.dispatchEvent(changed());
    } catch (error) {
      this.#error = error;
    }
    await this.#state.run();
  }
}
