import { type ExpressionEditor } from '@ats/elements';
import { faultAt } from '@ats/elements/parts';
import { html, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { api } from '../app/session.js';
import { ConsoleElement } from '../app/view.js';
import '../parts/elements.js';
import { field, firstLine } from '../parts/form-field.js';
import '../parts/problem.js';
import { submitOnce } from '../parts/submit-once.js';
import { type Submit } from './item-form.js';
import './object-preview.js';
import { t } from './texts.js';

interface Rule {
  readonly expression: string;
  readonly points: number;
}

const ROOT = 'application';

/** Edits the scoring rules of an opportunity. A preview below each rule shows the applications that get its points. */
@customElement('ats-scoring-rules')
export class ScoringRules extends ConsoleElement {
  /** The path of the opportunity, such as `/api/v1/vacancies/1`. */
  @property() path = '';
  @property({ attribute: false }) rules: readonly Rule[] = [];
  @property({ attribute: false }) submit!: Submit;
  @state() private typed: readonly Rule[] | undefined;
  @state() private error: unknown;

  override get isEdited(): boolean {
    return this.typed !== undefined;
  }

  protected override render(): TemplateResult {
    const rules = this.typed ?? this.rules;
    const places = rules.flatMap((_, index) => [
      `/scoring_rules/${index}/expression`,
      `/scoring_rules/${index}/points`,
    ]);
    return html`<form class="card" novalidate @submit=${this.#send} aria-labelledby="scoring-heading">
      <h2 id="scoring-heading">${t('scoringRules')}</h2>
      ${rules.length === 0 ? html`<p>${t('noScoringRules')}</p>` : rules.map((rule, index) => this.#rule(rule, index))}
      <ats-problem .error=${this.error} .fields=${places}></ats-problem>
      <p class="actions">
        <button type="button" @click=${() => (this.typed = [...rules, { expression: '', points: 1 }])}>${t('addRule')}</button>
        <button class="primary" ?disabled=${this.typed === undefined}>${t('save')}</button>
      </p>
    </form>`;
  }

  #rule({ expression, points }: Rule, index: number): TemplateResult {
    const rules = this.typed ?? this.rules;
    const change = (part: Partial<Rule>): void => {
      this.typed = rules.map((rule, at) => (at === index ? { ...rule, ...part } : rule));
    };
    const place = `/scoring_rules/${index}`;
    const label = `${t('rule')} ${index + 1}`;
    return html`<div role="group" aria-label=${label}>
      <ats-expression-editor .client=${api()} .language=${this.language} .root=${ROOT} .value=${expression} .label=${label}
        .help=${t('ruleHelp', { example: `${ROOT}.rating >= 4` })}
        .fault=${firstLine(faultAt(this.error, `${place}/expression`))}
        @input=${(event: Event) => change({ expression: (event.currentTarget as ExpressionEditor).value })}></ats-expression-editor>
      ${field({
        label: t('points'),
        name: `points-${index}`,
        path: `${place}/points`,
        type: 'number',
        value: points,
        error: this.error,
        onInput: (text) => change({ points: Number(text) }),
      })}
      <ats-object-preview .path=${`${this.path}/scoring_rules/preview`} .expression=${expression}></ats-object-preview>
      <button type="button" aria-label=${`${t('remove')} ${label}`}
        @click=${() => (this.typed = rules.filter((_, at) => at !== index))}>${t('remove')}</button>
    </div>`;
  }

  readonly #send = submitOnce(async () => {
    this.error = undefined;
    try {
      await this.submit({ scoring_rules: this.typed });
      this.typed = undefined;
    } catch (error) {
      this.error = error;
    }
  });
}
