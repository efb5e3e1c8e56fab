import { API_PREFIX, LANGUAGES } from '@ats/domain';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '@ats/pagination';
import { VERSIONS } from '../versions/versions.js';

/**
 * Returns the version whose reference is linked in the reference of `version`: the newest version, or the default
 * version in the reference of the newest one.
 */
const other = (version: string): string => (version === VERSIONS.newest ? VERSIONS.default : VERSIONS.newest);

/** The rules for all operations, as Markdown. The headings are entries in the menu of the reference. */
export const introduction = (
  baseUrl: string,
  version: string,
): string => `Recruitment data as JSON, and signed notifications about changes.

\`\`\`sh
curl -H "Authorization: Bearer $TOKEN" ${version === VERSIONS.default ? '' : `-H "Api-Version: ${version}" `}\\
  "${baseUrl}${API_PREFIX}/vacancies?per_page=5"
\`\`\`

The site at [${baseUrl}/docs](${baseUrl}/docs) has guides, the expression language and a page for each rule below. This
text has what every client needs.

# Authentication

Send the token of a credential with every request: \`Authorization: Bearer <token>\`, or as the user name of Basic
authentication with an empty password. Clients with OAuth 2 support can exchange it for access tokens at
\`/oauth/token\`. Each operation names the scope that it needs. Without that scope the answer is 403. Every problem with
the token itself gives the same 401. \`GET ${API_PREFIX}/me\` shows the scopes of your token.

The answer to a write shows only what the credential may read. Without the read scope, it has the identity of the item:
the schema \`item\`.

# Data

- Bodies are \`application/json\`, at most 1 MiB. Unknown properties are rejected with 422.
- Answers may have further properties in a later release. Ignore those that you do not know.
- Fields without a value are \`null\`, never left out. Fields ending in \`_dt\` are UTC timestamps with milliseconds:
  \`2026-11-21T09:00:00.000Z\`. Dates have the form \`2026-11-21\`.
- A reference is read as \`{ "id", "url" }\` and written as \`<name>_id\`.
- \`PUT\` replaces the item: fields that the body leaves out get their defaults. It accepts what \`GET\` gave: a
  read-only field with its present value is ignored, with another value it is 422 \`read_only\`.
- \`PATCH\` changes the fields that the body names (JSON Merge Patch, RFC 7396). A field that is null gets its default.
  A list is replaced as a whole.

# Collections

A collection is a JSON array, read in pages of \`per_page\` items (1 to ${MAX_PER_PAGE}, default ${DEFAULT_PER_PAGE}).
Follow the URLs in the \`Link\` header. The last page has no \`next\`. \`X-Total-Count\` is the number of matching
items, exact at a moment at most 2 seconds ago. An unknown query parameter is a 400, so a mistyped name never returns
everything. \`search\`, \`where\`, \`filter\` and stored searches limit a collection, \`sort\` orders it, and \`layout\`
adds columns. For queries that are too long for a URL, send the parameters to \`POST <collection>/query\`.

# Errors

Every answer with a status from 400 on has the schema \`problem\`. \`errors\` lists all violations of a request
together. \`path\` is a JSON pointer into your body. For an invalid query parameter, \`path\` is empty and
\`parameter\` is the name of the parameter.

Base decisions on the status and on \`code\`. \`message\` and \`info\` are texts for people. The codes are
\`missing\`, \`invalid\`, \`already_exists\`, \`read_only\`, and those that an operation lists at its 422. Quote
\`request_id\` in support requests.

# Repeated and concurrent requests

**Repeating a POST** is safe with an \`Idempotency-Key\` of your choice: 1 to 255 characters, kept for 24 hours per
credential. The same request gets the first answer again, marked \`Idempotency-Replayed: true\`. A different request with
the same key gets a 422 with the code \`idempotency_mismatch\`.

**No answer**, a broken connection, 502, 503 and 504 do not say whether the change was made. Send the request
again after the seconds of \`Retry-After\`, or after 1, 2 and 4 seconds when the header is absent. Repeat a \`POST\` with
the same \`Idempotency-Key\`, so send a key with every \`POST\`.

**Concurrent changes** are detected with \`If-Match\` and the \`ETag\` of the item as you read it. \`PUT\`,
\`PATCH\` and \`DELETE\` answer 412 when the item has changed since then.

# Limits

A credential may send a limited number of requests per time window, by default 50 in 10 seconds. \`RateLimit-Policy\`
lists this and further limits. Beyond a limit the answer is 429, and \`limit\` in its body is the name of the limit.
Such a request changes nothing. Send it again after the seconds of \`Retry-After\`.

# Versions and languages

\`Api-Version\` selects a minor version: ${VERSIONS.versions.map((name) => `\`${name}\``).join(', ')}. The default is
the version of your credential, or ${VERSIONS.default}, the newest stable version, when it has none.

This is the reference of ${version}. ${
  version === VERSIONS.default
    ? 'It applies to requests without a version.'
    : `Send \`Api-Version: ${version}\` to get this version.`
} Other versions have documents of their own, such as
\`/openapi.json?version=${other(version)}\`. The [changelog](${baseUrl}/docs/changelog) lists the changes of each version
and how to upgrade.

\`Accept-Language\` selects the language of names, labels, \`message\` and \`info\`: ${LANGUAGES.map(
  (language) => `\`${language}\``,
).join(', ')}. Codes, keys and states are the same in every language.
`;
