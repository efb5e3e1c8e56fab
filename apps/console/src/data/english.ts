import { html, type TemplateResult } from 'lit';

/** Maximum length of a description in characters. A longer one ends after a sentence. */
const MAX_CHARACTERS = 160;

/** Returns the first sentences of a description of the API, which is in English. Text between backticks is code. */
export function englishText(description: string): TemplateResult {
  const parts = firstSentences(description).split('`');
  return html`<bdi lang="en" dir="ltr" title=${description}>${parts.map((part, index) =>
    index % 2 === 1 ? html`<code>${part}</code>` : part,
  )}</bdi>`;
}

/** Returns the first sentences of a text, up to the maximum length, and at least one. */
export function firstSentences(text: string): string {
  let found = '';
  for (const sentence of text.replaceAll('\n', ' ').split(/(?<=\.) (?=[A-Z`])/)) {
    if (found !== '' && found.length + sentence.length > MAX_CHARACTERS) break;
    found = `${found} ${sentence}`.trim();
  }
  return found;
}
