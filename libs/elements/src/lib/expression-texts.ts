import { textsOf } from './languages.js';

/** The texts of the expression editor. */
export const expressionText = textsOf({
  en: {
    expression: 'Expression',
    expressionHelp: 'A condition such as {example}. Without one, all events of the type match.',
    suggestions: 'Suggestions',
    format: 'Format',
  },
  de: {
    expression: 'Ausdruck',
    expressionHelp: 'Eine Bedingung wie {example}. Ohne sie passen alle Ereignisse des Typs.',
    suggestions: 'Vorschläge',
    format: 'Formatieren',
  },
  fr: {
    expression: 'Expression',
    expressionHelp: 'Une condition comme {example}. Sans elle, tous les événements du type correspondent.',
    suggestions: 'Suggestions',
    format: 'Mettre en forme',
  },
  es: {
    expression: 'Expresión',
    expressionHelp: 'Una condición como {example}. Sin ella coinciden todos los eventos del tipo.',
    suggestions: 'Sugerencias',
    format: 'Formatear',
  },
  ar: {
    expression: 'التعبير',
    expressionHelp: 'شرط مثل {example}. من دونه تطابق كل أحداث النوع.',
    suggestions: 'اقتراحات',
    format: 'تنسيق',
  },
});
