import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { type Language } from './languages.js';
import { partText } from './part-texts.js';

/** One column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => unknown;
  readonly isNumeric?: boolean;
}

const ROW_HEIGHT = 40;
/** Number of rows that are rendered above and below the visible ones. */
const MARGIN = 10;

/**
 * A table that renders only the rows in sight. The arrow keys, Page Up, Page Down, Home and End move the focus between
 * rows. A click on a row opens it. It renders into the tree of its parent, whose style sheets reach it.
 */
export class DataTable<Row> extends LitElement {
  @property() language: Language = 'en';
  @property({ attribute: false }) columns: readonly Column<Row>[] = [];
  @property({ attribute: false }) rows: readonly Row[] = [];
  /** The accessible name of the table. */
  @property() label = '';
  /** Opens the dialog of a row. The first cell of each row is then a button. */
  @property({ attribute: false }) open: ((row: Row) => void) | undefined;
  /** Returns the address of a row. The first cell of each row is then a link. */
  @property({ attribute: false }) hrefOf: ((row: Row) => string) | undefined;
  /** Called when the last row comes into sight. */
  @property({ attribute: false }) atEnd: (() => void) | undefined;
  @state() private first = 0;
  @state() private visible = 30;
  @state() private focused = 0;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const from = Math.max(0, this.first - MARGIN);
    const to = Math.min(this.rows.length, this.first + this.visible + MARGIN);
    return html`
      <div class="table" role="region" aria-label=${this.label}
        tabindex=${this.rows.length > 0 && this.#canOpen ? nothing : '0'}
        @scroll=${this.#scroll} @keydown=${this.#move}>
        <table aria-label=${this.label} aria-rowcount=${this.rows.length + 1}>
          <thead>
            <tr>${this.columns.map(({ title, isNumeric }) => html`<th scope="col" class=${isNumeric ? 'number' : ''}>${title}</th>`)}</tr>
          </thead>
          <tbody>
            ${space(from)}
            ${this.rows.slice(from, to).map((row, index) => this.#row(row, from + index))}
            ${space(this.rows.length - to)}
          </tbody>
        </table>
        ${this.rows.length === 0 ? html`<p class="none">${partText(this.language, 'noRows')}</p>` : nothing}
      </div>
    `;
  }

  #row(row: Row, index: number): TemplateResult {
    return html`
      <tr data-index=${index} aria-rowindex=${index + 2} class=${this.#canOpen ? 'opens' : ''}
        @click=${this.#click} @focusin=${() => (this.focused = index)}>
        ${this.columns.map(({ cell, isNumeric }, at) => {
          const content = at === 0 && this.#canOpen ? this.#opener(row, index, cell(row)) : cell(row);
          return html`<td class=${isNumeric ? 'number' : ''}>${content}</td>`;
        })}
      </tr>
    `;
  }

  get #canOpen(): boolean {
    return this.open !== undefined || this.hrefOf !== undefined;
  }

  /** Returns the link or the button that opens a row. */
  #opener(row: Row, index: number, content: unknown): TemplateResult {
    const tabIndex = index === this.focused ? '0' : '-1';
    return this.hrefOf
      ? html`<a class="open" href=${this.hrefOf(row)} tabindex=${tabIndex}>${content}</a>`
      : html`<button type="button" class="open" tabindex=${tabIndex} aria-haspopup="dialog"
          @click=${() => this.open?.(row)}>${content}</button>`;
  }

  /** Opens the clicked row when the click was beside the link or button in its first cell. */
  readonly #click = ({ target, currentTarget }: Event): void => {
    if (!(target as Element).closest('.open')) (currentTarget as Element).querySelector<HTMLElement>('.open')?.click();
  };

  readonly #scroll = (event: Event): void => {
    const { scrollTop, clientHeight } = event.currentTarget as HTMLElement;
    this.first = Math.floor(scrollTop / ROW_HEIGHT);
    this.visible = Math.ceil(clientHeight / ROW_HEIGHT);
    if (this.first + this.visible >= this.rows.length) this.atEnd?.();
  };

  readonly #move = async (event: KeyboardEvent): Promise<void> => {
    if (!(event.target as HTMLElement).matches('.open')) return;
    const last = this.rows.length - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: this.focused + 1,
      ArrowUp: this.focused - 1,
      PageDown: this.focused + this.visible,
      PageUp: this.focused - this.visible,
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.focused = Math.max(0, Math.min(last, next));
    this.#showRow(this.focused);
    await this.updateComplete;
    this.querySelector<HTMLElement>(`tr[data-index="${this.focused}"] .open`)?.focus();
  };

  #showRow(index: number): void {
    const table = this.querySelector<HTMLElement>('.table');
    if (!table) return;
    const [top, bottom] = [index * ROW_HEIGHT, (index + 2) * ROW_HEIGHT];
    if (top < table.scrollTop) table.scrollTop = top;
    else if (bottom > table.scrollTop + table.clientHeight) table.scrollTop = bottom - table.clientHeight;
    this.first = Math.floor(table.scrollTop / ROW_HEIGHT);
  }
}

/**
 * Returns an empty row in place of the rows that are not rendered. A script sets its height, because the
 * Content-Security-Policy forbids a `style` attribute.
 */
const space = (rows: number): TemplateResult | typeof nothing =>
  rows > 0
    ? html`<tr aria-hidden="true" class="space"><td .style=${`height: ${rows * ROW_HEIGHT}px`}></td></tr>`
    : nothing;
