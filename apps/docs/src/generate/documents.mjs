// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { firstSentence, page, urlOf } from './text.mjs';

const TOUR = 'A tour in five minutes';

/** Maps files outside `docs` that become pages to their path on the site. Files that do not exist are ignored. */
const OTHERS = {
  'README.md': 'tour',
  'libs/webhook-signing/README.md': 'tools/webhook-signing',
  'libs/client/README.md': 'tools/client',
};

/** Documents in `docs` that are for people who change the service, and become no pages. */
const INTERNAL = ['architecture.md', 'benchmarks.md'];

/**
 * Maps each Markdown file of the repository that is a page to its path on the site.
 * @param {string} root the folder of the repository
 * @returns {ReadonlyMap<string, string>}
 */
export function findDocuments(root) {
  const inDocs = ['.', 'guides', 'reference'].flatMap((folder) =>
    readdirSync(join(root, 'docs', folder))
      .filter((name) => name.endsWith('.md') && !INTERNAL.includes(name))
      .map((name) => normalize(join(folder, name))),
  );
  return new Map([
    ...inDocs.map((path) => /** @type {const} */ ([`docs/${path}`, sitePath(path)])),
    ...Object.entries(OTHERS).filter(([file]) => existsSync(join(root, file))),
  ]);
}

/** @param {string} path below `docs` */
const sitePath = (path) => path.replace(/(?:\/?README)?\.md$/, '');

/**
 * Makes the page of a Markdown file. Its first heading becomes the title, and links to other files lead to their pages.
 * @param {string} root
 * @param {string} file relative to the repository
 * @param {ReadonlyMap<string, string>} documents
 */
export function documentPage(root, file, documents) {
  const whole = readFileSync(join(root, file), 'utf8');
  const text = file === 'README.md' ? sectionOf(whole, TOUR) : whole;
  const [, title = file, body = ''] = /^#+ (.*)\n([\s\S]*)$/.exec(text.trimStart()) ?? [];
  const [intro = ''] = body.trim().split(/\n\s*\n/);
  return page({
    title: title.replaceAll('`', ''),
    description: firstSentence(intro),
    body: withSiteLinks(body, file, documents),
  });
}

/** Returns the section with a heading of the second level. @param {string} text @param {string} heading */
function sectionOf(text, heading) {
  const start = text.indexOf(`## ${heading}\n`);
  if (start < 0) throw new Error(`README.md has no section "${heading}"`);
  const end = text.indexOf('\n## ', start + 3);
  return text.slice(start, end < 0 ? undefined : end);
}

const FENCE = /^(\s*)(```+|~~~+)/;

/**
 * Rewrites relative links outside code. A link to a file that is no page becomes its text.
 * @param {string} body @param {string} file @param {ReadonlyMap<string, string>} documents
 */
export function withSiteLinks(body, file, documents) {
  let fence = '';
  return body
    .split('\n')
    .map((line) => {
      const mark = FENCE.exec(line)?.[2] ?? '';
      if (mark !== '' && (fence === '' || mark.startsWith(fence))) {
        fence = fence === '' ? mark : '';
        return line;
      }
      return fence === '' ? linksOf(line, file, documents) : line;
    })
    .join('\n');
}

/** @param {string} line @param {string} file @param {ReadonlyMap<string, string>} documents */
const linksOf = (line, file, documents) =>
  line.replaceAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g, (whole, text, target) => {
    if (/^(?:[a-z]+:|[#/])/.test(target)) return whole;
    const [path = '', anchor] = target.split('#');
    const linked = normalize(join(dirname(file), path)).replace(/\/$/, '');
    const found = documents.get(linked) ?? documents.get(`${linked}/README.md`) ?? FOLDERS[linked];
    if (found === undefined) return text;
    const isTour = linked === 'README.md';
    return `[${text.replaceAll(/\b([\w-]+)\.md\b/g, titleOfFile)}](${urlOf(found, anchor && !isTour ? `#${anchor}` : '')})`;
  });

/**
 * Makes the text of a link from the name of a Markdown file: `Getting started` from `getting-started.md`. @param
 * {string} _whole @param {string} name
 */
const titleOfFile = (_whole, name) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;

/** Folders to which documents link, with the page that lists their files. @type {Record<string, string>} */
const FOLDERS = { 'docs/guides': '', docs: '' };
