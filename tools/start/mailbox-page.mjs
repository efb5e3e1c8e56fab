// @ts-check
/** @typedef {import('postal-mime').Email} Email */

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; }
ul { list-style: none; padding: 0; }
li { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .6rem 0; overflow-wrap: anywhere; }
li a { font-weight: 600; }
small, dt { color: color-mix(in srgb, currentColor 70%, transparent); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; overflow-wrap: anywhere; }
dd { margin: 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: 1rem; }
iframe { width: 100%; height: 24rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); background: #fff; }
`;

/**
 * Returns the page with the list of all e-mails as HTML.
 * @param {readonly { name: string, mail: Email }[]} mails the newest first
 */
export function listPage(mails) {
  const items = mails.map(
    ({ name, mail }) =>
      `<li><a href="/${name}">${escape(mail.subject || 'no subject')}</a><br>` +
      `<small>to ${escape(addresses(mail.to))}, ${escape(timeOf(mail))}</small></li>`,
  );
  const list =
    items.length > 0
      ? `<ul>${items.join('')}</ul>`
      : '<p>There is no e-mail yet. A candidate that you create through the API gets the first one.</p>';
  return page(
    'Mailbox',
    `<h1>Mailbox</h1><p>The service has sent these e-mails. None of them has left this machine.</p>${list}`,
  );
}

/** Returns the page of one e-mail as HTML. @param {string} name @param {Email} mail */
export function mailPage(name, mail) {
  const rows = [
    ['From', addresses(mail.from ? [mail.from] : [])],
    ['To', addresses(mail.to)],
    ['Date', timeOf(mail)],
  ].map(([label = '', value = '']) => `<dt>${label}</dt><dd>${escape(value)}</dd>`);
  const title = mail.subject || 'no subject';
  const text = mail.text ? `<h2>Text</h2><pre>${withLinks(mail.text)}</pre>` : '';
  const html = mail.html
    ? `<h2>HTML</h2><iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="HTML of the e-mail" src="/${name}/html"></iframe>`
    : '';
  return page(
    title,
    `<p><a href="/">Mailbox</a></p><h1>${escape(title)}</h1><dl>${rows.join('')}</dl>${text}${html}` +
      `<p><a href="/${name}/source">Source of the e-mail</a></p>`,
  );
}

/** Returns the HTML of an e-mail for a frame. Its links open outside of the frame. @param {Email} mail */
export const framedHtml = ({ html = '' }) => `<base target="_blank">${html}`;

/**
 * Returns a page as HTML. `body` is HTML, and `title` is text.
 * @param {string} title @param {string} body
 */
const page = (title, body) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
  `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title>` +
  `<style>${style}</style></head><body><main>${body}</main></body></html>`;

/**
 * Formats addresses with their names.
 * @param {readonly import('postal-mime').Address[] | undefined} list
 */
const addresses = (list = []) =>
  list.map(({ name, address }) => (name ? `${name} <${address ?? ''}>` : (address ?? ''))).join(', ');

/**
 * Formats the time of an e-mail.
 * @param {Email} mail
 */
const timeOf = ({ date }) => (date ? date.replace('T', ' ').replace('.000Z', ' UTC') : 'no date');

/** Escapes the text, and makes links of its `http` and `https` addresses. @param {string} value */
const withLinks = (value) =>
  value
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 0 ? escape(part) : `<a href="${escape(part)}" rel="noreferrer">${escape(part)}</a>`,
    )
    .join('');

/**
 * Escapes a text for HTML.
 * @param {string} value
 */
const escape = (value) =>
  value.replace(/[&<>"']/g, (character) => `&#${/** @type {number} */ (character.codePointAt(0))};`);
