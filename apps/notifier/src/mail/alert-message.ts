import { LANGUAGES, type Language, localise } from '@ats/domain';
import { directionOf } from '@ats/localisation';
import { htmlText, oneLine } from '@ats/mail-merge';
import { type Message, message } from '@ats/message';
import { type AlertMail } from './store/claimed-alert.js';

/** Writes the e-mail about a subscription to the owner of its endpoint. Its body is HTML. */
export function alertMessage(
  mail: AlertMail,
  publicBaseUrl: string,
): { readonly subject: string; readonly body: string } {
  const language = mail.languages.find(isLanguage) ?? 'en';
  const say = (text: Message): string => localise(text, language);
  const paragraph = (text: Message): string => `<p>${htmlText(say(text))}</p>`;
  const { title, meaning } = wordsOf(mail);
  const url = `${publicBaseUrl}/api/v1/notification_topics/${mail.topic_id}/subscriptions/${mail.subscription_id}`;
  const link = htmlText(url);
  return {
    subject: oneLine(say(title)),
    body: `<div lang="${language}" dir="${directionOf(language)}">${[
      paragraph(meaning),
      `<p><a href="${link}">${link}</a></p>`,
      paragraph(message`You get this e-mail because you own the endpoint, and its ${'emails_owner'} is true.`),
    ].join('\n')}</div>`,
  };
}

function wordsOf({ alert_type: type, subscription_id, endpoint_name: endpoint }: AlertMail): {
  readonly title: Message;
  readonly meaning: Message;
} {
  const id = String(subscription_id);
  switch (type) {
    case 'SUBSCRIPTION_DISABLED':
      return {
        title: message`Subscription ${id} is disabled`,
        meaning: message`Subscription ${id} of the endpoint "${endpoint}" was disabled. Its messages are held until it is enabled again.`,
      };
    case 'SUBSCRIPTION_RECOVERED':
      return {
        title: message`Subscription ${id} works again`,
        meaning: message`The destination of subscription ${id} of the endpoint "${endpoint}" accepts messages again.`,
      };
    case 'DELIVERY_EXHAUSTED':
      return {
        title: message`Messages of subscription ${id} were not accepted`,
        meaning: message`The last attempt to send a message of subscription ${id} of the endpoint "${endpoint}" failed. It can be redelivered. There is one such e-mail an hour, however many messages fail.`,
      };
  }
}

const isLanguage = (text: string | null): text is Language => (LANGUAGES as readonly (string | null)[]).includes(text);
