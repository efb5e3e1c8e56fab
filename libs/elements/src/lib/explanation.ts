import { type NotificationExplanation, type NotificationExplanationPart } from '@ats/client';
import { html, nothing, type TemplateResult } from 'lit';
import { logText } from './delivery-texts.js';
import { formatTime, type Language } from './languages.js';

type Verdict = NotificationExplanation['verdicts'][number];

/** Returns the verdicts about the topic and about one of its subscriptions. */
export const verdictsAbout = (verdicts: readonly Verdict[], subscriptionId: number): readonly Verdict[] =>
  verdicts.filter(({ subscription }) => subscription === null || subscription.id === subscriptionId);

const TIME = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** Splits a text at its ISO 8601 times. Every second part is a time. */
export const splitAtTimes = (text: string): readonly string[] => text.split(TIME);

const withTimes = (language: Language, text: string): unknown =>
  splitAtTimes(text).map((part, index) =>
    index % 2 === 0 ? part : html`<bdi><time datetime=${part}>${formatTime(language, part)}</time></bdi>`,
  );

/** Shows why one subscription got a message. */
export const explanationOf = (
  language: Language,
  { verdicts }: NotificationExplanation,
  subscriptionId: number,
): TemplateResult => html`
  <section class="explanation" aria-label=${logText(language, 'explanation')}>
    <h3>${logText(language, 'explanation')}</h3>
    <ol>
      ${verdictsAbout(verdicts, subscriptionId).map(
        ({ ok, info, parts }) => html`
          <li><span aria-hidden="true">${signOf(ok)}</span> ${withTimes(language, info)}
            ${parts ? partsOf(language, parts) : nothing}</li>
        `,
      )}
    </ol>
  </section>
`;

const signOf = (result: boolean | null): string => (result === null ? '?' : result ? '✓' : '✗');

const partsOf = (language: Language, parts: readonly NotificationExplanationPart[]): TemplateResult => html`
  <ul>
    ${parts.map(
      ({ text, values, result, parts: inner }) => html`
        <li>
          <code dir="ltr">${text}</code>
          <span role="img" aria-label=${logText(language, `part.${result ?? 'unknown'}`)}>${signOf(result)}</span>
          <small dir="ltr">${Object.entries(values).map(([path, value]) => `${path} = ${JSON.stringify(value)} `)}</small>
          ${inner ? partsOf(language, inner) : nothing}
        </li>
      `,
    )}
  </ul>
`;
