export { htmlText, oneLine, urlPart } from './lib/escape.js';
export { renderTemplate } from './lib/render.js';
export {
  type ParsedTemplate,
  parseTemplate,
  type Placeholder,
  placeholderFault,
  type TemplateFault,
} from './lib/template.js';
