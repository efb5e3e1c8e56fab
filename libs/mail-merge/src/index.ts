export { htmlText, oneLine, urlPart } from './lib/escape.js';
export { MAIL_MERGE_LIMITS } from './lib/limits.js';
export {
  type ParsedTemplate,
  parseTemplate,
  type Placeholder,
  placeholderFault,
  type TemplateFault,
  type TemplateFaultCode,
  type TemplatePart,
} from './lib/template.js';
export { renderTemplate } from './lib/render.js';
