// @ts-check
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Lets readers scroll wide tables and code with the keyboard (WCAG 2.2, 2.1.1). Code in a page has its `<` escaped, so
 * each match is an element.
 * @param {string} html
 */
export const withFocusableParts = (html) =>
  html
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll(/<pre(?![^>]*tabindex)/g, '<pre tabindex="0"');

/** @param {string} folder of the built site */
export function finishPages(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.html')) continue;
    const file = join(folder, name);
    writeFileSync(file, withFocusableParts(readFileSync(file, 'utf8')));
  }
}
