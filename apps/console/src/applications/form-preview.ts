import { formModelOf, Load } from '@ats/elements/parts';
import { html, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { api } from '../app/session.js';
import { ConsoleElement } from '../app/view.js';
import { findCollection, read } from '../data/service.js';
import { nameOf } from '../data/values.js';
import { field } from '../parts/form-field.js';
import { type Form, fromAnswer, type Item } from './answers.js';
import './applications.css';
import { t } from './condition-texts.js';
import { rootOf } from './conditions.js';
import { FormConditions, haveConditions } from './form-conditions.js';
import { draftOf } from './form-draft.js';
import { questionField } from './question-field.js';
import { t as common } from './texts.js';

type Owner = Readonly<Record<string, unknown>> & { readonly id: number };

const NEWEST = { per_page: '20' };

/**
 * Shows a form as the person who fills it in sees it. Evaluates the conditions with the answers that the user types
 * here, and with the values of a chosen object. Nothing is saved.
 */
@customElement('ats-form-preview')
export class FormPreview extends ConsoleElement {
  /** The resource of the objects that have the form, such as `applications`. */
  @property() resource = '';
  /** The sections of the form, also while they are being written. */
  @property({ attribute: false }) sections: unknown;
  #form: Form = draftOf([]);
  #conditions: FormConditions | undefined;
  #owner: Owner | undefined;
  readonly #typed = new Map<number, string>();
  /** The model that conditions need. When it cannot be loaded, the preview shows every question with its condition. */
  readonly #model = new Load(this, () => formModelOf(api(), this.#root), false);
  readonly #owners = new Load(this, async () => {
    const collection = await findCollection(this.resource);
    return collection ? read<readonly Owner[]>(collection.path, { ...NEWEST, sort: `${this.#root}.id!desc` }) : [];
  });

  get #root(): string {
    return rootOf(this.resource);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('sections')) {
      const isSame = JSON.stringify(changed.get('sections')) === JSON.stringify(this.sections);
      if (!isSame) {
        this.#form = draftOf(this.sections);
        this.#conditions = undefined;
      }
    }
    if (this.#conditions || !haveConditions([this.#form])) return;
    const { data, isLoading, error } = this.#model;
    if (data) this.#conditions = new FormConditions(this.#root, [this.#form], data);
    else if (!isLoading && error === undefined) void this.#model.run();
  }

  protected override render(): TemplateResult {
    const items = this.#form.sections.flatMap((section) => section.items);
    const count = items.filter((item) => this.#isVisible(item) !== false).length;
    return html`<section class="card" aria-labelledby="preview-heading">
      <h2 id="preview-heading">${common('preview')}</h2>
      <p class="muted">${t('previewHelp')}</p>
      ${this.#owners.render((owners) => this.#choice(owners))}
      ${this.#form.sections.map(
        (section) => html`<fieldset class="plain-fieldset">
          <legend dir="auto">${section.name}</legend>${section.items.map((item) => this.#item(item))}
        </fieldset>`,
      )}
      <p role="status" class="muted">${t('shownOf', { count, all: items.length })}</p>
    </section>`;
  }

  #choice(owners: readonly Owner[]): TemplateResult | undefined {
    if (owners.length === 0) return undefined;
    return field({
      label: t('previewFor'),
      name: 'preview-for',
      value: this.#owner?.id ?? '',
      choices: [
        { value: '', text: t('noObject') },
        ...owners.map((owner) => ({ value: String(owner.id), text: ownerName(owner) })),
      ],
      onInput: (id) => {
        this.#owner = owners.find((owner) => String(owner.id) === id);
        this.requestUpdate();
      },
    });
  }

  #item(item: Item): unknown {
    return questionField({
      item,
      value: this.#typed.get(item.id) ?? '',
      isVisible: this.#isVisible(item),
      onInput: (text) => {
        this.#typed.set(item.id, text);
        this.requestUpdate();
      },
    });
  }

  #isVisible(item: Item): boolean | undefined {
    if (item.visible_if === null) return true;
    const items = this.#form.sections.flatMap((section) => section.items);
    const answerOf = (id: number): unknown => {
      const asked = items.find((one) => one.id === id);
      return asked ? fromAnswer(asked, this.#typed.get(id) ?? '') : null;
    };
    return this.#conditions?.isVisible(item, { object: this.#owner ?? {}, answerOf });
  }
}

function ownerName(owner: Owner): string {
  const { user } = owner;
  const name = typeof user === 'object' && user !== null ? nameOf(user as Owner) : nameOf(owner);
  return `#${owner.id} ${name}`;
}
