import { LANGUAGES, type Language, localise } from '@ats/domain';
import { directionOf } from '@ats/localisation';
import { htmlText, oneLine } from '@ats/mail-merge';
import { type Message, message } from '@ats/message';

/**
 * The variable parts of the e-mail. The creator of an account cannot add text, so nobody can misuse the e-mail for
 * spam.
 */
export interface ActivationWords {
  readonly link: string;
  /** Languages, the preferred one first. The first supported language is used, else English. */
  readonly languages: readonly (string | null)[];
  readonly systemName: string;
  readonly expires: Date;
  /** IANA name of the time zone in which the e-mail states the expiry. */
  readonly timeZone: string;
}

/** Writes the e-mail with the activation link. Its body is HTML. */
export function activationMessage(words: ActivationWords): { readonly subject: string; readonly body: string } {
  const language = words.languages.find(isLanguage) ?? 'en';
  const say = (text: Message): string => localise(text, language);
  const paragraph = (html: string): string => `<p>${html}</p>`;
  const text = (text: Message): string => paragraph(htmlText(say(text)));
  const action = `<a href="${htmlText(words.link)}">${htmlText(say(message`Activate your account`))}</a>`;
  const paragraphs = [
    text(
      message`An account was created for you at ${words.systemName}, with this e-mail address. To activate it, follow this link and press the button there:`,
    ),
    paragraph(action),
    text(message`The link works once, until ${momentIn(language, words)}.`),
    text(
      message`If you did not expect this e-mail, you need not do anything: without the link the account is not activated.`,
    ),
  ];
  return {
    subject: oneLine(say(message`Activate your account: ${words.systemName}`)),
    body: `<div lang="${language}" dir="${directionOf(language)}">${paragraphs.join('\n')}</div>`,
  };
}

const isLanguage = (text: string | null): text is Language => (LANGUAGES as readonly (string | null)[]).includes(text);

function momentIn(language: Language, { expires, timeZone }: ActivationWords): string {
  const parts = {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  } as const;
  return new Intl.DateTimeFormat(language, { ...parts, timeZone: isKnownZone(timeZone) ? timeZone : 'UTC' }).format(
    expires,
  );
}

/** Returns false for a time zone that PostgreSQL knows but ICU does not. */
function isKnownZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
