import { html, type TemplateResult } from 'lit';
import { ifDefined } from 'lit/directives/if-defined.js';
import { language } from '../app/i18n.js';
import { translatedDescription } from './translations.js';

/** Maximum length of a description in characters. A longer one ends after a sentence. */
const MAX_CHARACTERS = 160;

/** Returns the first sentences of a description of the API. Text between backticks is code. */
export function descriptionOf(english: string): TemplateResult {
  const translated = translatedDescription(english);
  const isEnglish = translated === undefined && language() !== 'en';
  const parts = (translated ?? firstSentences(english)).split('`');
  return html`<bdi lang=${ifDefined(isEnglish ? 'en' : undefined)}
    dir=${ifDefined(isEnglish ? 'ltr' : undefined)}>${parts.map((part, index) =>
      index % 2 === 1 ? html`<code dir="ltr">${part}</code>` : part,
    )}</bdi>`;
}

/** Returns the description without the backticks around code, for a tooltip. */
export const plainDescription = (english: string): string =>
  (translatedDescription(english) ?? firstSentences(english)).replaceAll('`', '');

/** Returns the first sentences of a text, up to the maximum length, and at least one. */
function firstSentences(text: string): string {
  let found = '';
  for (const sentence of text.replaceAll('\n', ' ').split(/(?<=\.) (?=[A-Z`])/)) {
    if (found !== '' && found.length + sentence.length > MAX_CHARACTERS) break;
    found = `${found} ${sentence}`.trim();
  }
  return found;
}
