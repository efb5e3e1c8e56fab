import { createHash } from 'node:crypto';
import { ACTIVATION_DAYS, type Language, localise } from '@ats/domain';
import { directionOf } from '@ats/localisation';
import { type Message, message } from '@ats/message';
import { escaped } from '../vocabulary/escape-html.js';

/** The texts of a page. A page with a `token` has a button that sends the token. */
interface PageContent {
  readonly title: Message;
  readonly text: Message;
  readonly token?: string;
}

export const confirmationPage = (token: string): PageContent => ({
  title: message`Activate your account`,
  text: message`Press the button to activate your account.`,
  token,
});
export const ACTIVATED: PageContent = {
  title: message`Your account is active`,
  text: message`There is nothing more to do. You can close this page.`,
};
export const NO_LONGER_VALID: PageContent = {
  title: message`This link is no longer valid`,
  text: message`A link works once, for ${ACTIVATION_DAYS} days. If you have already activated your account, there is \
nothing more to do. Otherwise, please write to the organisation that sent you the e-mail.`,
};

/**
 * Renders a page without scripts or further requests. Its URLs are relative, so that it works below a `PUBLIC_BASE_URL`
 * with a path.
 */
export function activationPage({ title, text, token }: PageContent, language: Language): string {
  const say = (one: Message): string => escaped(localise(one, language));
  const form =
    token === undefined
      ? ''
      : `<form method="post" action="activate"><input type="hidden" name="token" value="${escaped(token)}">\
<button>${say(title)}</button></form>`;
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${say(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${say(title)}</h1>
<p>${say(text)}</p>
${form}
</main>
</body>
</html>
`;
}

const STYLE = `body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f3f4f6;
  color: #1f2937;
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif }
main { box-sizing: border-box; width: min(30rem, 100% - 2rem); padding: 2rem; background: #fff;
  border: 1px solid #e5e7eb; border-radius: 12px }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.3 }
p { margin: 0 }
button { width: 100%; margin-top: 1.75rem; padding: .8rem 1rem; border: 0; border-radius: 8px; background: #1d4ed8;
  color: #fff; font: inherit; font-weight: 600; cursor: pointer }
button:hover { background: #1e40af }
button:focus-visible { outline: 3px solid #93c5fd; outline-offset: 2px }`;

/**
 * Headers of the pages. They block scripts, frames and other origins, and keep the token out of caches and of `Referer`
 * for other origins. With `no-referrer`, the form would send the origin `null`, and the API would refuse the request.
 */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    `default-src 'none'`,
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    `img-src data:`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;
