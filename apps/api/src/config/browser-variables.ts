import { schemas, variable } from '@ats/configuration';

/** Returns the origin of a text, as browsers write it in `Origin`. Null when the text is no valid origin. */
const originOf = (text: string): string | null => (/^https?:\/\/[^/?#@*]+$/i.test(text) ? new URL(text).origin : null);

const origins = schemas.readBy((text) => {
  const read = text.split(',').map((part) => originOf(part.trim()));
  return read.includes(null) ? null : read.filter((origin) => origin !== null);
}, 'must be a comma-separated list of origins such as https://jobs.example.com, without paths and without *');

/** The variables about requests of browsers. Source: docs/reference/authentication.md, "Browsers". */
export const browserVariables = {
  CORS_ORIGINS: variable({
    schema: origins,
    description:
      'Origins of other sites whose pages may send requests to the API (CORS). They send a token, never cookies.',
    whenAbsent: 'pages of other sites may not use the API',
    example: 'https://jobs.example.com',
  }),
} as const;
