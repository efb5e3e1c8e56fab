import sanitizeHtml from 'sanitize-html';
import { ALLOWED, BLOCKS, LINK_REL, RICH_TEXT_ELEMENTS, WITHOUT_CONTENT } from './elements.js';
import { RICH_TEXT_LIMITS } from './limits.js';

const clean: sanitizeHtml.Transformer = (name, given) => {
  const tagName = BLOCKS.includes(name) ? 'div' : name;
  const rules = Object.hasOwn(ALLOWED, tagName) ? Object.entries(ALLOWED[tagName] ?? {}) : [];
  const attribs = Object.fromEntries(
    rules.flatMap(([attribute, pattern]) => {
      const value = Object.hasOwn(given, attribute) ? given[attribute]?.trim() : undefined;
      return value !== undefined && pattern.test(value) ? [[attribute, value] as const] : [];
    }),
  );
  return { tagName, attribs: tagName === 'a' ? { ...attribs, rel: LINK_REL } : attribs };
};

const options: sanitizeHtml.IOptions = {
  allowedTags: [...RICH_TEXT_ELEMENTS],
  allowedAttributes: {
    ...Object.fromEntries(Object.entries(ALLOWED).map(([name, rules]) => [name, Object.keys(rules)])),
    a: ['href', 'rel'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: WITHOUT_CONTENT,
  nestingLimit: RICH_TEXT_LIMITS.depth,
  transformTags: { '*': clean },
};

/**
 * Returns well-formed HTML that has only allowed elements and attributes. Sanitising it again changes nothing. One pass
 * is not enough: in `<li><x><li>`, the removed `x` keeps the second `li` from closing the first `li`.
 */
export const sanitise = (html: string): string => sanitizeHtml(sanitizeHtml(html, options), options);
