import { CONSOLE_BASE } from './base.js';
import { type Area, type View } from './view.js';

/** The view that an address leads to. */
export interface Route {
  readonly view: View;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** Dispatches `change` when the address leads to another view, but not when only its query changes. */
export const addressChanges = new EventTarget();

/** Returns the address of a view: `href('webhooks/endpoints/1')`. */
export const href = (path: string): string => CONSOLE_BASE + path;

/** Finds the view of the present address. */
export function findRoute(areas: readonly Area[]): Route | undefined {
  const path = location.pathname.slice(CONSOLE_BASE.length).replace(/\/$/, '');
  for (const view of areas.flatMap(({ views }) => views)) {
    const params = match(view.path.split('/'), path.split('/'));
    if (params) return { view, params, query: new URLSearchParams(location.search) };
  }
  return undefined;
}

function match(pattern: readonly string[], parts: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of pattern.entries()) {
    const part = parts[index] ?? '';
    if (name.startsWith(':')) params[name.slice(1)] = part;
    // An id is a number. A path with another text in its place matches no view.
    if (name === ':id' && !/^\d+$/.test(part)) return undefined;
    if (!name.startsWith(':') && name !== part) return undefined;
  }
  return params;
}

let mayLeave = (): boolean => true;
let shownAddress = '';

/** Sets the function that is asked before a link or the browser leaves the present view. */
export function askBeforeLeaving(ask: () => boolean): void {
  mayLeave = ask;
  shownAddress = location.href;
}

/** Opens another view: `navigate('webhooks/topics/1')`. */
export function navigate(path: string): void {
  history.pushState(null, '', href(path));
  follow();
}

function follow(): void {
  shownAddress = location.href;
  addressChanges.dispatchEvent(new Event('change'));
}

/** Replaces parameters in the query of the present address, so that users can share it. Empty values are removed. */
export function setQuery(values: Readonly<Record<string, string | undefined>>): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(values))
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  history.replaceState(null, '', url);
}

/** Follows a link within the console without loading the page again. */
export function watchLinks(): void {
  addEventListener('popstate', () => {
    const isOther = new URL(shownAddress).pathname !== location.pathname;
    if (isOther && !mayLeave()) history.pushState(null, '', shownAddress);
    else follow();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.composedPath().find((element) => element instanceof HTMLAnchorElement);
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (!link.pathname.startsWith(CONSOLE_BASE) || (link.hash && link.pathname === location.pathname)) return;
    event.preventDefault();
    if (mayLeave()) navigate(link.pathname.slice(CONSOLE_BASE.length) + link.search + link.hash);
  });
}
