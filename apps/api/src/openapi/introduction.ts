import { API_PREFIX, LANGUAGES } from '@ats/domain';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '@ats/pagination';
import { VERSIONS } from '../versions/versions.js';

/** To show how another version is asked for. */
const other = (version: string): string => (version === VERSIONS.newest ? VERSIONS.default : VERSIONS.newest);

/** What holds for every operation, as Markdown. Its headings are entries of the reference's menu. Source: CONTRACT.md 1 to 4 and 9. */
export const introduction = (
  baseUrl: string,
  version: string,
): string => `Recruitment data as JSON, and signed notifications of what happens to it.

\`\`\`sh
curl -H "Authorization: Bearer $TOKEN" ${version === VERSIONS.default ? '' : `-H "Api-Version: ${version}" `}\\
  "${baseUrl}${API_PREFIX}/vacancies?per_page=5"
\`\`\`

# Authentication

Send the token of a credential with every request: \`Authorization: Bearer <token>\`, or as the user name of Basic
authentication with an empty password. [Create a credential](#operation/post_credentials) to get a token; it is shown that one time.
[GET ${API_PREFIX}/me](#operation/get_me) says what your token may do.

A credential has scopes, such as \`applications:read\` or \`candidates:write\`. Each operation below names the one it needs; without
it the answer is 403. All faults of the token itself are the same 401. A credential acts on behalf of a recruiter, who is the
user of the changes it makes.

# Data

- Bodies are \`application/json\`, at most 1 MiB. Properties that an operation does not know are faults, not ignored.
- Fields without a value are \`null\`, never left out. Fields ending in \`_dt\` are moments in UTC, with milliseconds:
  \`2026-11-21T09:00:00.000Z\`; dates are \`2026-11-21\`.
- A reference is read as \`{ "id", "url" }\` and written as \`<name>_id\`.
- Rich texts, such as descriptions, are written as HTML and sanitised: formatting stays, and nothing that could do anything. They read
  as plain text, with \`rich_txt_fmt=html\` as HTML; answers to \`POST\` and \`PUT\` have plain text. A text without tags keeps its line breaks, and
  one that is sent back as it was read, in either form, stays as it is.
- \`PUT\` replaces: what the body leaves out gets its default. A \`PUT\` without a body needs \`Content-Length: 0\`.
- [GET ${API_PREFIX}/schemas](#operation/get_schemas) gives a JSON Schema for each resource.

# Collections

A collection is a JSON array, in pages of ${DEFAULT_PER_PAGE} items unless \`per_page\` (1 to ${MAX_PER_PAGE}) says otherwise. Go from
page to page by the addresses of the \`Link\` header, \`first\`, \`prev\`, \`next\` and \`last\`, until there is no \`next\`; the
page after the last one is an empty array. A parameter that a collection does not know is a 400: a mistyped name never returns everything in silence.

\`X-Total-Count\` is the number of all items, and \`last\` goes by it. It is never an estimate: exact when nothing has been written for two
seconds, and exact at a moment at most two seconds ago while others write. What you have written yourself counts at once; where the
service runs in several processes, after two seconds at the latest. When it takes longer than two seconds to count the items, the
header and \`last\` are left out, and nothing else.

Narrow a collection with \`search=<key><operator><value>\`, as often as you like, with \`filter=<text>\`, and order it with
\`sort=<datapath>!asc\`. A key is a JSON pointer into the item (\`/process_state/state=interview\`, \`/Email/[work]/Address=~example.com\`) or a
datapath (\`user.lastname=~son\`, \`vacancy.closing_date<2027-01-01\`); \`=~\` finds a part of a text in any case, \`={a,b}\` one of
several values, and a list's \`*\` any of its elements. What a datapath goes through needs its own read scope.

Conditions that are wanted again and again can be kept: \`saved_search=<id>\` and \`config_search=<id>\` add what a [saved](#operation/post_saved_searches)
or [configured](#operation/post_config_searches) search asks for, \`selection=<id>\` leaves only what was [picked by hand](#operation/post_selections). Whatever is
given holds at once.

Items and pages can carry more than their own fields: make a [layout](#operation/post_layouts), a list of columns that each name a
datapath, and ask with \`layout=<id>\`. Each item then has \`layout_data\`, one object per column in the layout's order: \`value\` is what a
person reads, and where that names an object, \`value_raw\` is its id.

# Errors

Every answer from 400 on has a body like this. All faults of a request are reported together; of more than a
thousand the first, and a last one that says so. \`path\` is a JSON pointer into your body. For a faulty query parameter \`path\` is
empty and \`parameter\` names it.

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

Decide by the status and by \`code\`; \`message\` and \`info\` are for people. Codes are \`missing\`, \`invalid\`, \`already_exists\`, and those that
an operation lists at its 422. Quote \`request_id\` when you ask us; it is also in \`X-Request-Id\`, and is yours when you sent one.

# Repeated and concurrent requests

**Repeating a POST** is safe with an \`Idempotency-Key\` of your choice, 1 to 255 characters, kept for 24 hours per credential: the same
request gets the first answer again, marked \`Idempotency-Replayed: true\`. With another request the key is a 422
\`idempotency_mismatch\`; while the first request is still running, a 409. A refused request leaves its key free.

**No answer** (the connection broke, nothing came in time), 502, 503 or 504 leave open what was done. Send the request again, after the seconds
of \`Retry-After\`, else after one, then two, then four: \`GET\`, \`PUT\` and \`DELETE\` as they were (a repeated \`DELETE\` may find nothing left, 404), a
\`POST\` with the \`Idempotency-Key\` that it had. So give every \`POST\` a key from the start. A 409 for a key comes with \`Retry-After\` too: fifteen seconds after
the first request at the latest, the key is free or has its answer.

**Overwriting somebody else's change** is prevented by \`If-Match\` with the \`ETag\` you have read: \`PUT\` and \`DELETE\` answer 412 when the item is
no longer that. The plain reading and the one with \`rich_txt_fmt=html\` have an \`ETag\` each; either will do, while that of a reading with a \`layout\`, in another version or language will not. \`GET\` of an item with \`If-None-Match\` answers 304 while it is.

# Limits

A credential may make so many requests in a window, which begins with the first of them: 50 in 10 seconds, unless your installation has other
numbers. Every answer to a credential says how it stands, whatever its status and version: \`RateLimit-Limit\` is the number for a window,
\`RateLimit-Remaining\` how many are left, \`RateLimit-Reset\` the seconds until the window ends. Where your installation counts nothing, there are none of these headers.

Beyond the limit the answer is 429. Nothing has been done then, the request is not counted, and its \`Idempotency-Key\` is free: send it again after
the seconds of \`Retry-After\`. As many requests as \`RateLimit-Limit\` may also be under way at the same time; one more is a 429 with \`Retry-After: 1\`, and its
\`message\` says so.

- When \`RateLimit-Remaining\` is 0, wait for \`RateLimit-Reset\` seconds instead of trying.
- Several programs with the same credential share its limit. Give each a credential of its own.
- Read pages of 1000 items rather than items one by one, write form values of many [at once](#operation/post_applications_bulk_form_values), and
  [be notified](#operation/post_notification_topics) rather than asking again and again.

Requests without a valid credential are counted by address. After 100 in a minute they are answered with 429 instead of 401; those three headers of a 401 and of
such a 429 are about the address and its minute. Valid credentials at the same address are served as ever. What needs no credential, such as this page, is not
limited, and neither it nor a request that is no HTTP at all has the headers.

# Versions and languages

\`Api-Version\` chooses a minor version: ${VERSIONS.versions.map((name) => `\`${name}\``).join(', ')}. Without it your credential's own holds, else ${VERSIONS.default}, the
newest stable one. Answers say which one they are.

This is the reference of ${version}. ${version === VERSIONS.default ? 'Requests that name no version get it.' : `Send \`Api-Version: ${version}\` to get what it says.`} There is a reference of each version, such as
[${other(version)}](${baseUrl}/docs?version=${other(version)}), for programs at \`/openapi.json?version=${other(version)}\`. The [changelog](${baseUrl}/docs/changelog) says what each version changed, and what
to do when moving up.

\`Accept-Language\` chooses the language of names, labels and of what errors say, \`message\` and \`info\`: ${LANGUAGES.map((language) => `\`${language}\``).join(', ')}; \`de-AT\` finds \`de\`. Without it your credential's own holds,
else the system's; when none is acceptable, the answer is 406. Codes, keys and states are the same in every language.

Texts such as titles of columns are kept in several languages: write \`{ "en": "Name", "de": "Nachname" }\`, or one text, which is then in the
system's default language and the only one. They are read as one text, in the language of the request, else in the system's, else in any.
`;
