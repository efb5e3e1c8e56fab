// @ts-check
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Kinds of tokens in code samples that the style sheet colours. */
const COLOURED = 'comment|prolog|string|attr-value|url|keyword|boolean|null|function|property|attr-name|number';
const PLAIN_TOKEN = new RegExp(`<span class="token (?!(?:${COLOURED})\\b)[^"]*">([^<]*)</span>`, 'g');

const BLOCK = 'table|thead|tbody|tr|td|th|ul|ol|li|p|h[1-6]|details|summary|div|pre|blockquote|hr';
const SPACE_BEFORE_BLOCK = new RegExp(`>\\s+(?=</?(?:${BLOCK})\\b)`, 'g');
const EMPTY_HEAD = /<thead>\s*<tr>(?:\s*<th[^>]*>\s*<\/th>)+\s*<\/tr>\s*<\/thead>/g;

/**
 * Removes nodes that have no visible effect: elements around code without a colour, and spaces between blocks.
 * @param {string} html
 */
export const withFewerNodes = (html) =>
  html
    .split(/(<pre[\s\S]*?<\/pre>)/)
    .map((part, index) =>
      index % 2 === 1
        ? part.replaceAll(PLAIN_TOKEN, '$1').replaceAll(PLAIN_TOKEN, '$1')
        : part.replaceAll(SPACE_BEFORE_BLOCK, '>'),
    )
    .join('');

/**
 * Makes a page accessible by keyboard and screen reader, where the generator does not. Wide tables and code can be
 * scrolled with the keyboard, empty head cells are removed, and check boxes of task lists get a name. Each match of the
 * expressions is an element, because `<` is escaped in code. Source: WCAG 2.2, 1.3.1, 2.1.1 and 4.1.2.
 * @param {string} html
 */
export const withAccessibleParts = (html) =>
  html
    .replaceAll(EMPTY_HEAD, '')
    .replaceAll(/<th([^>]*)>\s*<\/th>/g, '<td$1></td>')
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll(/<pre(?![^>]*tabindex)/g, '<pre tabindex="0"')
    .replaceAll('<input type="checkbox"', '<input type="checkbox" aria-label="To do"');

/** @param {string} folder of the built site */
export function finishPages(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.html')) continue;
    const file = join(folder, name);
    writeFileSync(file, withFewerNodes(withAccessibleParts(readFileSync(file, 'utf8'))));
  }
}
