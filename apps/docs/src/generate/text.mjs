// @ts-check

/** The path at which the API serves the site. */
export const BASE = '/docs';

/** @param {string} path such as `guides/webhooks` @param {string} [anchor] */
export const urlOf = (path, anchor = '') => `${BASE}/${path}${path === '' ? '' : '/'}${anchor}`;

/** Escapes text for HTML. @param {string} text */
export const escapeHtml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * Makes Markdown of the API descriptions safe for a page: a `<` outside code is no tag.
 * @param {string} text
 */
export const markdown = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('');

/** Converts a text to the content of a table cell. @param {string} text */
export const cell = (text) =>
  markdown(text)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');

/** @param {unknown} value */
export const code = (value) => `\`${String(value).replaceAll('|', '\\|')}\``;

/**
 * @param {readonly string[]} heads
 * @param {readonly (readonly string[])[]} rows cells in Markdown
 */
export const table = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** @param {string} language @param {string} text */
export const block = (language, text) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;

/** @param {unknown} value */
export const json = (value) => block('json', JSON.stringify(value, null, 2));

/** Returns the first sentence of a text without its Markdown, for the description of a page. @param {string} text */
export function firstSentence(text) {
  const plain = text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /^.*?[.!?](?=\s|$)/.exec(plain)?.[0] ?? plain;
}

/**
 * Returns one page of the site as a file of the content collection. A page without headings has no table of contents.
 * Its tables use that space.
 * @param {{ title: string, description?: string, body: string, label?: string, more?: object }} page
 */
export const page = ({ title, description, body, more = {} }) =>
  `---\n${Object.entries({ title, description, ...(/^## /m.test(body) ? {} : { tableOfContents: false }), ...more })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n')}\n---\n\n${body.trim()}\n`;
