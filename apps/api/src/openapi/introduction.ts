import { API_PREFIX, LANGUAGES } from '@ats/domain';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '@ats/pagination';
import { VERSIONS } from '../versions/versions.js';

/**
 * Returns the version to whose reference this reference links: the newest version, or the default version if this is
 * the newest.
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

# Authentication

Send the token of a credential with every request: \`Authorization: Bearer <token>\`, or as the user name of Basic
authentication with an empty password. [Create a credential](#operation/credentials.create) to get a token. The token is
shown only once. [GET ${API_PREFIX}/me](#operation/credentials.get_me) shows the scopes of your token. Clients with OAuth 2 support
can exchange the token for [access tokens](#operation/credentials.create_access_token) of an hour.

A credential has scopes, such as \`applications:read\` or \`candidates:write\`. Each operation names the scope it
needs. Without that scope the answer is 403. Every problem with the token itself gives the same 401. A credential acts
on behalf of a recruiter, who is recorded as the user of its changes.

Pages of other sites cannot use this interface, unless the operator allows their origin. Browsers get no CORS headers,
and 403 to requests that can change data.

Narrow scopes such as \`applications:create\` allow a part of what \`applications:write\` allows.
[GET ${API_PREFIX}/scopes](#operation/credentials.list_scopes) lists all scopes. The answer to a write shows only what the credential
may read: without the read scope, it has the identity of the item, and secrets that are shown once. The schema
\`limited_item\` is this identity.

# Data

- Bodies are \`application/json\`, at most 1 MiB. \`PATCH\` also takes \`application/merge-patch+json\`. Unknown
  properties are rejected with 422.
- Fields without a value are \`null\`, never left out. Fields ending in \`_dt\` are UTC timestamps with milliseconds:
  \`2026-11-21T09:00:00.000Z\`. Dates have the form \`2026-11-21\`.
- A reference is read as \`{ "id", "url" }\` and written as \`<name>_id\`.
- Rich texts, such as descriptions, are written as HTML and sanitised: formatting stays, scripts and other active
  content are removed. They are read as plain text, or as HTML with \`rich_txt_fmt=html\`. Answers to \`POST\`,
  \`PUT\` and \`PATCH\` contain plain text. A text without tags keeps its line breaks. If you send a text back
  exactly as you read it, in either form, the stored text does not change.
- \`PATCH\` changes the fields that the body names (JSON Merge Patch, RFC 7396). A field that is null gets its default.
- \`PUT\` replaces the item: fields that the body leaves out get their defaults. It accepts what \`GET\` gave: a
  read-only field with its present value is ignored, with another value it is 422 \`read_only\`. A \`PUT\` without a
  body needs \`Content-Length: 0\`.
- [GET ${API_PREFIX}/schemas](#operation/reference.list_schemas) gives a JSON Schema for each resource.

# Collections

A collection is a JSON array, read in pages of \`per_page\` items (1 to ${MAX_PER_PAGE}, default ${DEFAULT_PER_PAGE}).
Follow the URLs in the \`Link\` header: \`first\`, \`prev\`, \`next\` and \`last\`. The last page has no
\`next\`. A page past the end is an empty array. An unknown query parameter is a 400, so a mistyped name never returns
everything.

When the query string is longer than 1,500 bytes, the links carry \`query=<handle>\` in its place. For queries that
are too long for a URL, send the parameters as a JSON body to \`POST <collection>/query\`, which answers like \`GET\`.
The URLs in its \`Link\` are for \`GET\`.

\`X-Total-Count\` is the number of matching items, and \`last\` is derived from it. The number is never an estimate:
it was exact at a moment at most 2 seconds ago. Your own writes are counted at once, or within 2 seconds when the
service runs in several processes. When counting takes longer than 2 seconds, the header and \`last\` are left out.

Limit a collection with \`search=<key><operator><value>\`, which may be repeated, and with \`filter=<text>\`. Order it
with \`sort=<datapath>!asc\`. A key is a JSON pointer into the item (\`/process_state/state=interview\`,
\`/Email/[work]/Address=~example.com\`) or a datapath (\`user.lastname=~son\`, \`vacancy.closing_date<2027-01-01\`).
\`=~\` finds texts that contain the value, in upper or lower case. \`={a,b}\` matches one of several values. \`*\`
stands for any element of a list. For a datapath, the credential needs the read scope of every resource that the
datapath passes through.

Conditions can be stored. \`saved_search=<id>\` and \`config_search=<id>\` apply a
[saved](#operation/saved_searches.create) or a [configured](#operation/config_searches.create) search. \`selection=<id>\`
limits the collection to a [hand-picked set](#operation/selections.create). All given conditions are combined with AND.

Items can have additional columns. Create a [layout](#operation/layouts.create), a list of columns that each name a
datapath, and request it with \`layout=<id>\`. Each item then has \`layout_data\`, with one object per column in the
layout's order. \`value\` is the text or value to show. Where \`value\` shows an object, \`value_raw\` is the id of
that object; otherwise it is absent.

# Errors

Every answer with a status from 400 on has a body like the example below. \`errors\` lists all violations of a request
together. It lists at most the first thousand; a last entry then says that there are more. \`path\` is a JSON pointer
into your body. For an invalid query parameter, \`path\` is empty and \`parameter\` is the name of the parameter.

\`\`\`json
{
  "message": "Validation failed",
  "errors": [
    { "resource": "candidates", "path": "/email", "code": "already_exists" },
    { "resource": "candidates", "path": "/lastname", "code": "missing" }
  ],
  "request_id": "6d2e8a2e-7c5b-4a51-9a0c-3f0e7d1b5c42"
}
\`\`\`

Base decisions on the status and on \`code\`. \`message\` and \`info\` are texts for people. The codes are
\`missing\`, \`invalid\`, \`already_exists\`, \`read_only\`, and those that an operation lists at its 422. Quote
\`request_id\` in support requests. The header \`X-Request-Id\` has the same id. It is your own id when you sent one.

# Repeated and concurrent requests

**Repeating a POST** is safe with an \`Idempotency-Key\` of your choice: 1 to 255 characters, kept for
24 hours per credential. The same request gets the first answer again, marked \`Idempotency-Replayed: true\`. The
order of properties and blanks in the body do not count. A different request with the same key gets a 422 with the code
\`idempotency_mismatch\`. While the first request is running, the answer is 409. A rejected request does not use up its
key: send the corrected request with the same key.

**No answer**, a broken connection, 502, 503 and 504 do not say whether the change was made. Send the request
again after the seconds of \`Retry-After\`, or after 1, 2 and 4 seconds when the header is absent. Repeat \`GET\`,
\`PUT\`, \`PATCH\` and \`DELETE\` requests unchanged. A repeated \`DELETE\` may get a 404. Repeat a \`POST\` with
the same \`Idempotency-Key\`, so send a key with every \`POST\`. A 409 for a key comes with \`Retry-After\`. At the latest
15 seconds after the first request, the key is free again, or the API has stored the answer for it.

**Concurrent changes** are detected with \`If-Match\` and the \`ETag\` of the item as you read it. \`PUT\`,
\`PATCH\` and \`DELETE\` answer 412 when the item has changed since then. An item as plain text and the same item with
\`rich_txt_fmt=html\` have different ETags, and \`If-Match\` accepts both. It does not accept the \`ETag\` of an item
that was read with a \`layout\`, in another version or in another language. \`GET\` of an item with \`If-None-Match\`
answers 304 when the item has not changed.

**Compression** saves nine tenths of a long list. Send \`Accept-Encoding: br, gzip\`, as most clients do. Answers of
1 KiB or more are then compressed. The \`ETag\` of an item is the same with and without compression.

# Limits

A credential may send a limited number of requests per time window. The default is 50 requests in 10 seconds. Your
installation may use other numbers. A window begins with the credential's first request. Every answer to a credential
has three headers: \`RateLimit-Limit\` is the number of requests per window, \`RateLimit-Remaining\` the number left,
and \`RateLimit-Reset\` the seconds until the window ends. An installation without limits sends none of these headers.

Further limits bound what the requests of a credential cost. \`RateLimit-Policy\` lists all limits, and \`RateLimit\`
states what is left in the current windows, before the request itself:

| Limit | Default |
|---|---|
| \`rate\` | 50 requests in 10 s |
| \`concurrency\` | 50 requests at the same time |
| \`database_time\` | 12,500 ms in 10 s in which the database works for the credential |
| \`bytes\` | 100 MiB of answers in 10 s, before compression |
| \`connections\` | 3 statements at the same time in a process; further statements wait for up to 5 s |

Beyond a limit the answer is 429, and \`limit\` in its body is the name of the limit. Such a request changes nothing
and leaves its \`Idempotency-Key\` unused. Send it again after the seconds of \`Retry-After\`.

- When \`RateLimit-Remaining\` is 0, wait for \`RateLimit-Reset\` seconds.
- Programs that share a credential share its limit. Give each program its own credential.
- Read pages of 1000 items instead of single items. Write form values of many items
  [in one request](#operation/applications.write_form_values_in_bulk). Use
  [notifications](#operation/notification_topics.create) instead of polling.

Requests without a valid credential are counted per IP address. After 100 of them in a minute the answer is 429 instead
of 401. The \`RateLimit\` headers of a 401 and of such a 429 describe that IP address. Requests with a valid credential
from the same IP address are not affected. Public pages, such as this one, are not limited. Public pages and answers to
malformed HTTP requests have no \`RateLimit\` headers.

# Versions and languages

\`Api-Version\` selects a minor version: ${VERSIONS.versions.map((name) => `\`${name}\``).join(', ')}. The default is
the version of your credential, or ${VERSIONS.default}, the newest stable version, when it has none. Every answer
names its version.

This is the reference of ${version}. ${
  version === VERSIONS.default
    ? 'It applies to requests without a version.'
    : `Send \`Api-Version: ${version}\` to get this version.`
} Other versions have documents of their own, such as
\`/openapi.json?version=${other(version)}\`. The site at [${baseUrl}/docs](${baseUrl}/docs) has guides and pages. The [changelog](${baseUrl}/docs/changelog) lists the changes of each version and how to upgrade.

\`Accept-Language\` selects the language of names, labels, \`message\` and \`info\`: ${LANGUAGES.map(
  (language) => `\`${language}\``,
).join(', ')}. \`de-AT\` matches \`de\`. The default is the language of your credential. If
the credential has none, the default is the language of the system. When no language is acceptable, the answer is 406.
Codes, keys and states are the same in every language.

Texts such as column titles can have several languages. Write \`{ "en": "Name", "de": "Nachname" }\`, or one text,
which is stored in the system's default language. An answer contains one text: in the language of the request if the
text has it, otherwise in the system's default language, otherwise in any language.
`;
