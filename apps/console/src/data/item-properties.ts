import { html, type TemplateResult } from 'lit';
import { href } from '../app/router.js';
import { type Collection } from './catalogue.js';
import { titleById } from './collection-titles.js';
import { type Column, type Kind, labelOf } from './columns.js';
import { plainDescription } from './description.js';
import './item-link.js';
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
      ({ label, name, kind, description }) => html`<dt title=${plainDescription(description)}>${label}</dt>
      <dd>${name === 'item_ids' ? itemLinks(item, collections) : show(item[name], kind, collections, name)}</dd>`,
    )}
  </dl>`;
}

/** Maximum number of items that the page of an audit entry links to. */
const MAX_LINKS = 50;

/**
 * Shows the items of an audit entry as links. Reading their names would add entries to the audit log, so the links have
 * only the kind and the id of each item.
 */
function itemLinks({ collection: name, item_ids: ids }: Object, collections: readonly Collection[]): unknown {
  const collection = collections.find((one) => one.name === name);
  if (!Array.isArray(ids) || ids.length === 0 || !collection) return show(ids, 'list', collections, 'item_ids');
  const links = (ids as readonly number[])
    .slice(0, MAX_LINKS)
    .map(
      (id) =>
        html`<li><a href=${href(addressOf(collection, id))}><bdi>${titleById(collection.name, id)}</bdi></a></li>`,
    );
  return html`<ul class="plain">${links}</ul>${ids.length > MAX_LINKS ? t('items', { count: ids.length }) : ''}`;
}

function show(value: unknown, kind: Kind, collections: readonly Collection[], name: string): unknown {
  if (value === null || value === undefined || value === '') return html`<span class="muted">–</span>`;
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (Array.isArray(value) && value.length === 0) return html`<span class="muted">–</span>`;
  if (Array.isArray(value) && typeof value[0] === 'object')
    return objectTable(value as readonly Object[], collections, labelOf(name));
  if (typeof value !== 'object' || Array.isArray(value)) return html`<bdi>${textOf(value, kind, name)}</bdi>`;
  const { url } = value as { readonly url?: unknown };
  const related = typeof url === 'string' ? itemOf(url, collections) : undefined;
  const text = textOf(value, kind, name);
  if (related && text === `#${related[1]}`)
    return html`<ats-item-link .url=${url} .itemId=${related[1]} .avoidsAudit=${true}></ats-item-link>`;
  if (related) return html`<a href=${href(addressOf(...related))}><bdi>${text}</bdi></a>`;
  return url === undefined ? nested(value as Object, collections) : html`<bdi>${text}</bdi>`;
}

/** Derives the kind of a property from its name. Properties of nested objects have no schema in the console. */
const kindByName = (name: string): Kind =>
  name.endsWith('_dt') ? 'datetime' : /(^|_)date$/.test(name) ? 'date' : 'integer';

/** Shows an object without a page of its own. A click on its name shows its properties. */
const nested = (value: Object, collections: readonly Collection[]): TemplateResult => html`<details class="nested">
  <summary><bdi>${nameOf(value)}</bdi></summary>
  <dl>
    ${Object.entries(value).map(
      ([name, part]) => html`<dt>${labelOf(name)}</dt>
      <dd>${show(part, kindByName(name), collections, name)}</dd>`,
    )}
  </dl>
</details>`;

/** The properties that a table leaves out, because only programs need them. */
const HIDDEN = ['uuid', 'url', 'position'];

/** Shows a list of objects as a table. A cell with a list contains a further table, which opens with a click. */
export function objectTable(
  list: readonly Object[],
  collections: readonly Collection[],
  label: string,
): TemplateResult {
  const names = [...new Set(list.flatMap((element) => Object.keys(element)))].filter((name) => !HIDDEN.includes(name));
  const cell = (element: Object, name: string): unknown => {
    const value = element[name];
    const shown = show(value, kindByName(name), collections, name);
    const isList = Array.isArray(value) && typeof value[0] === 'object';
    return isList ? html`<details><summary>${t('items', { count: value.length })}</summary>${shown}</details>` : shown;
  };
  return html`<div class="inner-table" role="region" tabindex="0" aria-label=${label}>
    <table>
      <thead><tr>${names.map((name) => html`<th scope="col">${labelOf(name)}</th>`)}</tr></thead>
      <tbody>
        ${list.map((element) => html`<tr>${names.map((name) => html`<td>${cell(element, name)}</td>`)}</tr>`)}
      </tbody>
    </table>
  </div>`;
}
