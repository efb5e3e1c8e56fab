// @ts-check
import { applicationForm } from './application.js';
import { element } from './dom.js';

const board = document.documentElement.dataset.board ?? '';
const main = /** @type {HTMLElement} */ (document.querySelector('main'));

/**
 * Reads JSON from the service, and the URL of the next page, if any.
 * @param {string} url
 */
async function read(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(String(response.status));
  return { body: await response.json(), next: /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] };
}

/**
 * Describes where a posting is, in one line.
 * @param {any} posting
 */
const placeOf = ({ location, department, employment_type }) =>
  [location, department, employment_type].filter(Boolean).join(' · ');

async function showList() {
  const search = /** @type {HTMLInputElement} */ (element('input', { type: 'search', 'aria-label': 'Search' }));
  const list = element('ul', { class: 'postings' });
  const more = element('button', { type: 'button', hidden: true }, 'More');
  /** @type {string | undefined} */
  let next;
  /**
   * Adds a page of postings to the list.
   * @param {string} url
   */
  async function append(url) {
    const { body, next: following } = await read(url);
    next = following;
    more.toggleAttribute('hidden', next === undefined);
    for (const posting of body)
      list.append(
        element('li', {}, element('a', { href: `#${posting.id}` }, posting.title), element('div', {}, placeOf(posting))),
      );
    if (list.children.length === 0) list.append(element('li', {}, 'There is no open position.'));
  }
  more.addEventListener('click', () => next && void append(next));
  search.addEventListener('change', () => {
    list.replaceChildren();
    void append(`${board}/postings?${new URLSearchParams({ q: search.value, limit: '20' })}`);
  });
  main.replaceChildren(search, list, more);
  await append(`${board}/postings?limit=20`);
}

/**
 * Shows one posting with its form.
 * @param {string} id
 */
async function showPosting(id) {
  const { body: posting } = await read(`${board}/postings/${id}`);
  const { body: form } = await read(`${board}/postings/${id}/form`);
  const description = element('div');
  // The service has cleaned this HTML: it has no scripts, no frames and no handlers.
  description.innerHTML = posting.description ?? '';
  const thanks = () =>
    main.replaceChildren(element('h1', {}, 'Thank you'), element('p', {}, 'We have received your application.'));
  main.replaceChildren(
    element('h1', {}, posting.title),
    element('p', {}, placeOf(posting)),
    description,
    element('h2', {}, 'Apply'),
    applicationForm(form, thanks),
    element('script', { type: 'application/ld+json' }, JSON.stringify(posting.json_ld)),
  );
}

async function show() {
  const id = location.hash.slice(1);
  try {
    await (/^\d+$/.test(id) ? showPosting(id) : showList());
  } catch {
    main.replaceChildren(element('p', {}, 'This page is not available at the moment.'));
  }
}

addEventListener('hashchange', () => void show());
await show();
