import { html, type TemplateResult } from 'lit';
import { href } from '../app/router.js';
import { type Collection } from './catalogue.js';
import { type Column, type Kind, labelOf } from './columns.js';
import { addressOf, itemOf } from './links.js';
import { t } from './texts.js';
import { nameOf, textOf } from './values.js';

type Object = Readonly<Record<string, unknown>>;

/** Shows all properties of an item with their labels. Related objects link to their pages. */
export function itemProperties(
  item: Object,
  columns: readonly Column[],
  collections: readonly Collection[],
): TemplateResult {
  return html`<dl class="properties card">
    ${columns.map(
      ({ label, name, kind, description }) => html`<dt lang="en" title=${description}>${label}</dt>
      <dd>${show(item[name], kind, collections)}</dd>`,
    )}
  </dl>`;
}

function show(value: unknown, kind: Kind, collections: readonly Collection[]): unknown {
  if (value === null || value === undefined || value === '') return html`<span class="muted">–</span>`;
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (Array.isArray(value) && value.length === 0) return html`<span class="muted">–</span>`;
  if (Array.isArray(value) && typeof value[0] === 'object')
    return html`<ol class="nested">
      ${(value as readonly Object[]).map((element) => html`<li>${nested(element, collections)}</li>`)}
    </ol>`;
  if (typeof value !== 'object' || Array.isArray(value)) return html`<bdi>${textOf(value, kind)}</bdi>`;
  const { url } = value as { readonly url?: unknown };
  const related = typeof url === 'string' ? itemOf(url, collections) : undefined;
  const text = textOf(value, kind);
  if (related) return html`<a href=${href(addressOf(...related))}><bdi>${text}</bdi></a>`;
  return url === undefined ? nested(value as Object, collections) : html`<bdi>${text}</bdi>`;
}

/** Shows an object without a page of its own. A click on its name shows its properties. */
const nested = (value: Object, collections: readonly Collection[]): TemplateResult => html`<details class="nested">
  <summary><bdi>${nameOf(value)}</bdi></summary>
  <dl>
    ${Object.entries(value).map(
      ([name, part]) => html`<dt lang="en">${labelOf(name)}</dt>
      <dd>${show(part, name.endsWith('_dt') ? 'datetime' : 'integer', collections)}</dd>`,
    )}
  </dl>
</details>`;
