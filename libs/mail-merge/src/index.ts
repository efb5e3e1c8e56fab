export { htmlText, oneLine, urlPart } from './lib/escape.js';
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
