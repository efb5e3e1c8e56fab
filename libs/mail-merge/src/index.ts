export { htmlText, oneLine, urlPart } from './lib/escape.js';
export { MAIL_MERGE_LIMITS, type MailMergeLimits } from './lib/limits.js';
export { renderTemplate } from './lib/render.js';
export {
  type ParsedTemplate,
  parseTemplate,
  type Placeholder,
  placeholderViolation,
  type TemplatePart,
  type TemplateViolation,
  type TemplateViolationCode,
} from './lib/template.js';
