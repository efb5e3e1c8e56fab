import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { ConsoleElement } from '../app/view.js';
import { read } from './service.js';

/** An entry of `GET /datapaths`. */
export interface DatapathEntry {
  readonly path: string;
  readonly type: string;
  readonly label: string;
  readonly target: string | null;
  readonly is_many: boolean;
  readonly used_in: readonly string[];
  readonly values: readonly string[] | null;
}

const SUGGESTIONS = '60';
let serial = 0;

/** Maps each datapath that was suggested or looked up to its type. The type determines how values are written. */
const types = new Map<string, string>();
export const typeOf = (path: string): string | undefined => types.get(path);

/**
 * Looks up the type of a datapath that the user did not choose from the suggestions. For example, it came from an
 * address.
 */
export async function lookUp(root: string, path: string): Promise<void> {
  if (!types.has(path)) await suggest(root, path);
}

async function suggest(root: string, text: string): Promise<readonly DatapathEntry[]> {
  const isPrefix = text === '' || text.startsWith(`${root}.`);
  const search: Readonly<Record<string, string>> = isPrefix ? { prefix: text || `${root}.` } : { q: text };
  const found = await read<readonly DatapathEntry[]>('/api/v1/datapaths', { root, per_page: SUGGESTIONS, ...search });
  for (const { path, type } of found) types.set(path, type);
  return found;
}

/** A text field that completes datapaths. Its `change` event bubbles, like the `change` event of other fields. */
@customElement('ats-datapath-field')
export class DatapathField extends ConsoleElement {
  @property({ attribute: false }) root!: string;
  @property({ attribute: false }) value!: string;
  @property({ attribute: false }) label!: string;
  /** The use of the datapath, such as `sort`. The field suggests only datapaths with this use. */
  @property({ attribute: false }) use!: string;
  #entries: readonly DatapathEntry[] = [];
  #asked = '';
  readonly #list = `datapaths-${(serial += 1)}`;

  protected override render(): TemplateResult {
    return html`<input .value=${this.value ?? ''} list=${this.#list} aria-label=${this.label} autocomplete="off"
        spellcheck="false" dir="ltr" @focus=${this.#suggest} @input=${this.#typed} />
      <datalist id=${this.#list}>
        ${this.#entries.map(
          ({ path, label, target }) => html`<option value=${target === null ? path : `${path}.`}>${label}</option>`,
        )}
      </datalist>`;
  }

  readonly #typed = (event: Event): void => {
    this.value = (event.target as HTMLInputElement).value;
    void this.#suggest();
  };

  readonly #suggest = async (): Promise<void> => {
    const text = this.value ?? '';
    this.#asked = text;
    // Ignores the error, because the field is also usable without suggestions.
    const found = await suggest(this.root, text).catch(() => []);
    if (text !== this.#asked) return;
    this.#entries = found.filter(({ used_in, target }) => target !== null || !this.use || used_in.includes(this.use));
    this.requestUpdate();
  };
}
