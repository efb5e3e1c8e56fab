// @ts-check

/** Pages about the language. They stand in a group of their own. */
const LANGUAGE = ['guides/expressions', 'reference/expressions', 'reference/datapaths', 'reference/search'];
/** Order of the guides. Guides that are missing here follow, sorted by title. */
const GUIDES = [
  'tour',
  'guides/first-notification',
  'guides/webhooks',
  'guides/forms-and-applying',
  'guides/templates-and-messages',
  'guides/keeping-a-copy',
];
/** The documents for operators. */
const OPERATORS = ['operations', 'security'];

/**
 * The navigation of the site, for Starlight.
 * @param {{
 *   documents: ReadonlyMap<string, string>,
 *   operations: import('./operations.mjs').OperationPages,
 *   pages: ReadonlyMap<string, string>,
 * }} content
 */
export function sidebarOf({ documents, operations, pages }) {
  const paths = [...documents.values()];
  /** @param {string} path */
  const entry = (path) => ({ label: titleOf(pages.get(path) ?? ''), link: `/${path}/` });
  /** @param {readonly string[]} chosen */
  const entries = (chosen) => chosen.filter((path) => pages.has(path)).map(entry);
  /** @param {string} prefix */
  const below = (prefix) => paths.filter((path) => path.startsWith(`${prefix}/`));
  const sortedByTitle = (/** @type {readonly string[]} */ chosen) =>
    entries(chosen).sort((a, b) => a.label.localeCompare(b.label, 'en'));
  return [
    {
      label: 'Guides',
      items: [
        ...entries(GUIDES),
        ...sortedByTitle(below('guides').filter((path) => ![...GUIDES, ...LANGUAGE].includes(path))),
      ],
    },
    { label: 'Tools', items: sortedByTitle(below('tools')) },
    { label: 'Expression language', items: entries(LANGUAGE) },
    {
      label: 'Catalogues',
      items: entries(['error-codes', 'scopes', 'event-types', 'datapaths'].map((name) => `catalogues/${name}`)),
    },
    {
      label: 'Rules',
      collapsed: true,
      items: [
        ...entries(['reference']),
        ...sortedByTitle(below('reference').filter((path) => !LANGUAGE.includes(path))),
      ],
    },
    {
      label: 'API reference',
      items: [
        ...entries(['api']),
        ...operations.groups().map(({ name, tags }) => ({
          label: name,
          collapsed: true,
          items: tags.map((tag) => ({ label: tag.title, link: `/api/${tag.name}/` })),
        })),
      ],
    },
    { label: 'More', items: entries(['changelog', 'glossary', ...OPERATORS]) },
  ].filter(({ items }) => items.length > 0);
}

/** @param {string} text a page with front matter */
const titleOf = (text) => JSON.parse(/^title: (.*)$/m.exec(text)?.[1] ?? '""');
