import { html, type TemplateResult } from 'lit';
import { href } from '../app/router.js';
import { type Collection } from './catalogue.js';
import { type Column } from './columns.js';
import { addressOf, itemOf } from './links.js';
import { t } from './texts.js';
import { textOf } from './values.js';

/** All properties of an item with their labels. Related objects are links to their pages. */
export function itemProperties(
  item: Readonly<Record<string, unknown>>,
  columns: readonly Column[],
  collections: readonly Collection[],
): TemplateResult {
  return html`<dl class="properties card">
    ${columns.map(
      (column) => html`<dt title=${column.description}>${column.label}</dt>
      <dd dir="auto">${show(item[column.name], column, collections)}</dd>`,
    )}
  </dl>`;
}

function show(value: unknown, { kind }: Column, collections: readonly Collection[]): unknown {
  if (value === null || value === undefined || value === '') return html`<span class="muted">–</span>`;
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (Array.isArray(value) && value.length === 0) return html`<span class="muted">–</span>`;
  if (Array.isArray(value) && typeof value[0] === 'object') return nested(value);
  if (typeof value !== 'object' || Array.isArray(value)) return textOf(value, kind);
  const { url } = value as { readonly url?: unknown };
  const related = typeof url === 'string' ? itemOf(url, collections) : undefined;
  const text = textOf(value, kind);
  if (related) return html`<a href=${href(addressOf(...related))}>${text}</a>`;
  return url === undefined ? nested(value) : text;
}

/** Values without a page of their own. */
const nested = (value: object): TemplateResult =>
  html`<pre tabindex="0" dir="ltr">${JSON.stringify(value, null, 2)}</pre>`;
