import { type Violation } from '@ats/client';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { api } from '../app/session.js';
import { ConsoleElement } from '../app/view.js';
import '../parts/elements.js';
import './datapath-field.js';
import { type CollectionQuery, EMPTY_QUERY, type SortKey } from './collection-query.js';
import { type Column, usualColumns } from './columns.js';
import { type DatapathField, lookUp, typeOf } from './datapath-field.js';
import { type Condition, formatCondition, type Operator, OPERATORS, parseCondition } from './search-text.js';
import { t } from './texts.js';
import { formatWhere } from './where-text.js';
import { scalarText } from './values.js';

/** The event `query-change`. It asks the page to show another query. */
export class QueryEvent extends Event {
  constructor(readonly query: CollectionQuery) {
    super('query-change', { bubbles: true });
  }
}

const SEPARATOR = '|';
/**
 * The names with which datapaths in expressions about opportunities may begin.
 * Source: docs/reference/search.md.
 */
const OPPORTUNITIES = ['opportunity', 'vacancy', 'event'];
const directionIn = ({ target }: Event): SortKey['direction'] =>
  (target as HTMLSelectElement).value === 'desc' ? 'desc' : 'asc';
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const EMPTY_CONDITION: Condition = { key: '', operator: '=', values: [''] };

/** A form for a query: its conditions, its expression, its order and its columns. */
@customElement('ats-query-builder')
export class QueryBuilder extends ConsoleElement {
  @property({ attribute: false }) query!: CollectionQuery;
  @property({ attribute: false }) columns!: readonly Column[];
  /** The object type with which datapaths begin. */
  @property({ attribute: false }) root!: string;
  /** The violations of query parameters that the service found in the last request. */
  @property({ attribute: false }) faults!: readonly Violation[];
  #shown: CollectionQuery | undefined;
  #conditions: readonly Condition[] = [];
  #sort: readonly SortKey[] = [];
  /** The names of the chosen columns, in the order in which the user chose them. */
  #order: readonly string[] = [];

  protected override willUpdate(): void {
    const shown = this.#shown;
    const { search, sort, columns } = (this.#shown = this.query);
    // Resets the conditions and the order only when the address has changed them. A click on a heading of the table
    // changes the order; it must not delete typed conditions.
    if (!isEqual(shown?.search, search))
      this.#conditions = search.map((text) => parseCondition(text) ?? { ...EMPTY_CONDITION, key: text });
    if (!isEqual(shown?.sort, sort)) this.#sort = sort;
    if (!isEqual(shown?.columns, columns)) this.#order = this.#chosenColumns();
  }

  protected override render(): TemplateResult {
    return html`<form class="query-builder" @submit=${this.#apply}>
      <fieldset>
        <legend>${t('conditions')}</legend>
        ${this.#conditions.map((condition, index) => this.#condition(condition, index))}
        <p class="row">
          <button type="button" class="add-condition"
            @click=${() => this.#setConditions([...this.#conditions, EMPTY_CONDITION])}>${t('addCondition')}</button>
          ${
            this.#conditions.length > 1
              ? html`<button type="button" @click=${this.#toWhere}>${t('toWhere')}</button>`
              : nothing
          }
        </p>
        ${this.#faultsOf('search')}
      </fieldset>
      <ats-expression-editor .client=${api()} .language=${this.language} .root=${OPPORTUNITIES.includes(this.root) ? OPPORTUNITIES.join(' ') : this.root}
        .value=${this.query.where} .label=${t('where')} .help=${t('whereHelp', { example: `${this.root}.id > 1` })}
        .fault=${this.#whereFault()}></ats-expression-editor>
      <label>${t('filter')} <input type="search" name="filter" maxlength="200" .value=${this.query.filter} /></label>
      ${this.#faultsOf('filter')}
      <fieldset>
        <legend>${t('sort')}</legend>
        ${this.#sort.map((key, index) => this.#sortKey(key, index))}
        <p class="row"><button type="button"
          @click=${() => this.#setSort([...this.#sort, { path: '', direction: 'asc' }])}>${t('addSort')}</button></p>
        ${this.#faultsOf('sort')}
      </fieldset>
      <fieldset class="columns">
        <legend>${t('columns')}</legend>
        ${this.columns.map(
          ({ name, label }) => html`<label class="check"><input type="checkbox" name="column" value=${name}
          .checked=${this.#chosenColumns().includes(name)} @change=${() => this.#choose(name)} /> ${label}</label>`,
        )}
      </fieldset>
      <p class="row">
        <button class="primary">${t('apply')}</button>
        <button type="button" @click=${this.#reset}>${t('reset')}</button>
      </p>
    </form>`;
  }

  #condition({ key, operator, values }: Condition, index: number): TemplateResult {
    const change = (part: Partial<Condition>): void => {
      this.#setConditions(
        this.#conditions.map((condition, at) => (at === index ? { ...condition, ...part } : condition)),
      );
    };
    return html`<div class="condition" role="group" aria-label=${`${t('conditions')} ${index + 1}`}>
      <ats-datapath-field .root=${this.root} .value=${key} .label=${t('datapath')} use="search"
        @change=${(event: Event) => change({ key: (event.currentTarget as DatapathField).value })}></ats-datapath-field>
      <select aria-label=${t('operator')} dir="ltr"
        @change=${(event: Event) => change({ operator: (event.target as HTMLSelectElement).value as Operator })}>
        ${OPERATORS.map((one) => html`<option ?selected=${one === operator}>${one}</option>`)}
      </select>
      <input aria-label=${t('value')} dir="auto" placeholder=${t('valueHint')} .value=${values.join(SEPARATOR)}
        @change=${(event: Event) => change({ values: (event.target as HTMLInputElement).value.split(SEPARATOR) })} />
      <button type="button" aria-label=${`${t('remove')} ${index + 1}`}
        @click=${() => this.#setConditions(this.#conditions.filter((_, at) => at !== index))}>✕</button>
    </div>`;
  }

  #sortKey({ path, direction }: SortKey, index: number): TemplateResult {
    const change = (part: Partial<SortKey>): void => {
      this.#setSort(this.#sort.map((key, at) => (at === index ? { ...key, ...part } : key)));
    };
    return html`<div class="condition" role="group" aria-label=${`${t('sort')} ${index + 1}`}>
      <ats-datapath-field .root=${this.root} .value=${path} .label=${t('datapath')} use="sort"
        @change=${(event: Event) => change({ path: (event.currentTarget as DatapathField).value })}></ats-datapath-field>
      <select aria-label=${t('sort')} @change=${(event: Event) => change({ direction: directionIn(event) })}>
        <option value="asc" ?selected=${direction === 'asc'}>${t('ascending')}</option>
        <option value="desc" ?selected=${direction === 'desc'}>${t('descending')}</option>
      </select>
      <button type="button" aria-label=${`${t('remove')} ${index + 1}`}
        @click=${() => this.#setSort(this.#sort.filter((_, at) => at !== index))}>✕</button>
    </div>`;
  }

  #faultsOf(parameter: string): TemplateResult | typeof nothing {
    const faults = (this.faults ?? []).filter((fault) => fault.parameter === parameter);
    if (faults.length === 0) return nothing;
    return html`${faults.map(
      ({ info, code }) => html`<pre class="fault" role="alert" dir="auto">${info ?? code}</pre>`,
    )}`;
  }

  /** Returns the first line of the violation of `where`. The further lines only repeat the expression. */
  #whereFault(): string | undefined {
    const fault = (this.faults ?? []).find(({ parameter }) => parameter === 'where');
    return fault && (fault.info ?? fault.code).split('\n', 1)[0];
  }

  #setConditions(conditions: readonly Condition[]): void {
    this.#conditions = conditions;
    this.requestUpdate();
  }

  #setSort(sort: readonly SortKey[]): void {
    this.#sort = sort;
    this.requestUpdate();
  }

  #chosenColumns(): readonly string[] {
    return this.query.columns.length > 0 ? this.query.columns : usualColumns(this.columns);
  }

  /** Makes the column the last one that was chosen. */
  #choose(name: string): void {
    this.#order = [...this.#order.filter((one) => one !== name), name];
  }

  readonly #apply = (event: Event): void => {
    event.preventDefault();
    this.dispatchEvent(new QueryEvent(this.#written()));
  };

  /** Clears the whole form. This includes fields whose text is not a part of the query yet. */
  readonly #reset = (): void => {
    [this.#conditions, this.#sort] = [[], []];
    for (const field of this.querySelectorAll<HTMLInputElement>('ats-expression-editor, [name=filter]'))
      field.value = '';
    this.requestUpdate();
    this.dispatchEvent(new QueryEvent(EMPTY_QUERY));
  };

  /** Returns the query that the form has now. */
  #written(): CollectionQuery {
    const data = new FormData(this.querySelector('form') as HTMLFormElement);
    const ticked = data.getAll('column').map(String);
    const columns = this.#order.filter((name) => ticked.includes(name));
    const usual = usualColumns(this.columns);
    return {
      ...this.query,
      search: this.#conditions.filter(({ key }) => key !== '').map(formatCondition),
      where: (this.querySelector('ats-expression-editor')?.value ?? '').trim(),
      filter: scalarText(data.get('filter')).trim(),
      sort: this.#sort.filter(({ path }) => path !== ''),
      columns: columns.join() === usual.join() ? [] : columns,
    };
  }

  /**
   * Moves the conditions into the expression, where they can be combined with OR. Conditions on JSON pointers stay,
   * because expressions have no pointers.
   */
  readonly #toWhere = async (): Promise<void> => {
    const written = this.#written();
    const used = this.#conditions.filter(({ key }) => key !== '' && !key.startsWith('/'));
    const conditions = used.map((one) => ({
      ...one,
      key: one.key.startsWith(`${this.root}.`) ? one.key : `${this.root}.${one.key}`,
    }));
    await Promise.all(conditions.map(({ key }) => lookUp(this.root, key)));
    const moved = used.map(formatCondition);
    const text = formatWhere(conditions, 'OR', typeOf);
    this.dispatchEvent(
      new QueryEvent({
        ...written,
        search: written.search.filter((one) => !moved.includes(one)),
        where: written.where === '' ? text : `(${written.where}) AND (${text})`,
      }),
    );
  };
}
