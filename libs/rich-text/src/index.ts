export { RICH_TEXT_ELEMENTS } from './lib/elements.js';
export { RichTextError, type RichTextErrorCode } from './lib/errors.js';
export { RICH_TEXT_LIMITS, type RichTextLimits } from './lib/limits.js';
export { plainTextWithLinks } from './lib/plain-text.js';
export { readRichText, type RichText } from './lib/rich-text.js';
export { textToHtml } from './lib/text-to-html.js';
