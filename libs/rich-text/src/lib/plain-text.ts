import { compile, type FormatCallback, type SelectorDefinition } from 'html-to-text';

const lines = (count: number) => ({ leadingLineBreaks: count, trailingLineBreaks: count });
const blocks = (names: string, breaks: number) =>
  names.split(' ').map((selector) => ({ selector, format: 'block', options: lines(breaks) }));

type RowChild = Parameters<FormatCallback>[0];
const isBlank = ({ type, data }: RowChild): boolean => type === 'text' && data?.trim() === '';

/** Writes the cells of a table row on one line, separated by tabs. */
const row: FormatCallback = ({ children = [] }, walk, builder) => {
  builder.openBlock(lines(1));
  for (const [index, cell] of children.filter((child) => !isBlank(child)).entries()) {
    if (index > 0) builder.addLiteral('\t');
    walk([cell], builder);
  }
  builder.closeBlock(lines(1));
};

const converter = (link: Omit<SelectorDefinition, 'selector'>): ReturnType<typeof compile> =>
  compile({
    wordwrap: false,
    whitespaceCharacters: ' \t\r\n\f', // These are the white space characters of HTML.
    formatters: { row },
    selectors: [
      { selector: 'a', ...link },
      { selector: 'hr', options: { length: 3 } },
      { selector: 'tr', format: 'row' },
      ...blocks('h1 h2 h3 h4 h5 h6 table dl', 2),
      ...blocks('caption dt dd', 1),
    ],
  });

const withoutLinks = converter({ format: 'inline' });
const withLinks = converter({
  format: 'anchor',
  options: { linkBrackets: ['<', '>'], hideLinkHrefIfSameAsText: true },
});
const withPlainSpaces = (text: string): string => text.replaceAll('\u00a0', ' ');

/**
 * Returns the text of sanitised HTML. Blocks are on lines of their own, lists have marks, and links are shown by their
 * text.
 */
export const plainText = (html: string): string => withPlainSpaces(withoutLinks(html));

/**
 * Returns the text of sanitised HTML for e-mails, with the target of each link: `the form <https://example.com/form>`.
 */
export const plainTextWithLinks = (html: string): string => withPlainSpaces(withLinks(html));
