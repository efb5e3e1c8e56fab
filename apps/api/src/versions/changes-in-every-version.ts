/** A change in every minor version. It corrects or extends the service as a whole. */
export interface ChangeInEveryVersion {
  /** One sentence for integrators. Text between backticks is shown as code. */
  readonly change: string;
  /** The change that a client needs when its requests or answers become stricter. Absent when it needs none. */
  readonly upgrade?: string;
}

export interface DatedChanges {
  readonly date: string;
  readonly changes: readonly ChangeInEveryVersion[];
}

/** The changes in every version, newest first. `/docs/changelog` shows them above the versions. */
export const CHANGES_IN_EVERY_VERSION: readonly DatedChanges[] = [
  {
    date: '2026-11-28',
    changes: [
      {
        change:
          '`/docs` is a site with guides, rules, catalogues, search, and a page for each operation. It describes the ' +
          'default version. The OpenAPI document no longer lists `/docs`, which has pages and no operations.',
        upgrade: 'Read `/openapi.json?version=<version>` instead of `/docs?version=<version>`.',
      },
      {
        change:
          'Every collection can be exported as `application/x-ndjson` or `text/csv`, by `Accept` or `format`, without ' +
          'pages.',
        upgrade: 'An `Accept` that prefers one of these types to JSON gets an export.',
      },
      { change: '`fields=<name>,<name>` limits the items of collections, and single items, to some properties.' },
      {
        change: 'Operations of `/openapi.json` have short ids that stay the same, such as `applications.move`.',
        upgrade: 'Generate clients again: the names of their functions change once.',
      },
      {
        change:
          '`/openapi.json` has a third of its size: operations describe the common errors as `default`, repeated schemas ' +
          'are components, and schemas have no `x-relations`, `x-error-codes`, `x-datapath`, `x-filterable` and ' +
          '`x-sortable`.',
        upgrade: 'Read these details at `GET /schemas/{resource}`. Generate clients again.',
      },
      {
        change:
          '`/documents` stores files of up to 25 MiB. `document_ids` of `POST /applications` and `POST /candidates` ' +
          'gives them to the new object, `PATCH /documents/<id>` to an existing one. `GET /documents/<id>/link` makes a ' +
          'link for 5 minutes. Public boards take documents, too. Uploads can be resumed with the protocol tus 1.0.',
      },
    ],
  },
  {
    date: '2026-11-24',
    changes: [
      {
        change:
          'A job board with `is_public` is open to everyone below `/public/v1/boards/<code>`: open postings, ' +
          'application forms as JSON Schema, applying, and feeds.',
      },
      {
        change: '`GET /<collection>/counts?by=<datapaths>` counts the items of each group.',
      },
      {
        change:
          '`GET /changes` lists every committed change of every item, deletions included, and can wait for the next ' +
          'one.',
      },
    ],
  },
  {
    date: '2026-11-23',
    changes: [
      {
        change:
          'A credential has no more rights than its maker (`created_by`): scopes, recruiter, `expires_dt` and ' +
          '`allowed_cidrs`. Revoking it revokes what it made, unless `?keep_children=true`.',
        upgrade:
          'Acting as another recruiter needs `credentials:impersonate`, and revoking beyond your own scopes needs ' +
          '`credentials:admin`. `*:write` includes neither; `*:admin` does.',
      },
      {
        change:
          'Credentials of inactive recruiters are refused. An `expires_dt` in the past is 422. ' +
          'The last lasting credential with `credentials:write` cannot be ended (409).',
      },
      {
        change: 'A repeated `POST /credentials` with the same `Idempotency-Key` answers without `token`.',
        upgrade: 'Store the token of the first answer.',
      },
      {
        change:
          '`POST /oauth/token` gives access tokens for OAuth 2 client credentials: at most an hour, equal or fewer ' +
          'scopes. `GET /.well-known/oauth-authorization-server` describes it.',
      },
      { change: 'A JSON object in a request body has at most 2,000 properties; more is 400.' },
      { change: 'Form values of a form for another kind of object are 422. Some were 500.' },
      {
        change: 'Histories and history feeds also need the read scope of their subject.',
        upgrade: 'Grant it beside `history:read`. Otherwise the answer is 403.',
      },
      {
        change:
          'Topics and subscriptions have an `owner`, the credential that created them. ' +
          'Other credentials need `notifications:admin` to change them.',
        upgrade: 'Items from before have no owner and can be changed with `notifications:write`.',
      },
      {
        change:
          'Signing keys are shown in the answers to create and rotate, and later to the owner and with ' +
          '`notifications:admin`. Otherwise they are null.',
        upgrade: 'Store the key of the first answer.',
      },
      {
        change:
          'Subscribing, enabling, messages, deliveries and redelivery need the scopes of the expression of the ' +
          'topic. `expression` and the `subject` of an event are null without their scopes.',
        upgrade: 'Grant the read scopes that the expression needs.',
      },
      {
        change:
          '`/notification_endpoints` lists the destinations of all subscriptions. ' +
          'Endpoints have a name, an `owner`, `custom_headers`, `authentication` and signing keys.',
      },
      {
        change:
          'Endpoints have a `health`, and `GET /notification_endpoints/<id>/metrics` counts their attempts by period ' +
          'and cause of failure. `GET /notification_endpoints/metrics` adds up those of all endpoints.',
      },
      { change: 'Endpoints have a `batch`: several messages in one request. Attempts can have the error `rejected`.' },
      {
        change: '`destination_url` is optional for endpoints. The messages of an endpoint without it are never posted.',
        upgrade: 'Send `destination_url` in each `PUT` of an endpoint. It can be null in answers.',
      },
      {
        change: 'Subscriptions with the same `endpoint_id` share the destination and the signing key of an endpoint.',
        upgrade:
          '`destination_url` of a subscription is optional in the schema: a body has it or `endpoint_id`. ' +
          'A body with neither is 422 `missing`.',
      },
      {
        change: 'A datapath through the new relation `endpoint` follows the same list at most once.',
      },
      { change: '`GET /audit_entries` lists reads of personal data, refusals and changes of credentials.' },
      {
        change:
          'Anonymising also blanks `source` and lists texts of others that mention the person in `remaining`. ' +
          '`everywhere=true` clears them; it needs the write scope of every resource with texts. ' +
          '`POST /recruiters/<id>/anonymise` is new.',
      },
      {
        change:
          'Anonymising does not list or clear a single word that occurs in more than 1,000 texts. `too_many_in` ' +
          'names the resources with these texts.',
      },
      {
        change:
          'The system settings `candidate_retention_days` and `retention_notice_days` anonymise inactive ' +
          'candidates, announced by `CANDIDATE_ANONYMISATION_DUE`.',
      },
      {
        change:
          'The event types `SUBSCRIPTION_DISABLED`, `SUBSCRIPTION_RECOVERED` and `DELIVERY_EXHAUSTED` report ' +
          'destinations that do not accept messages.',
      },
      {
        change:
          'New event types report changes of applications, candidates, vacancies, events, job boards, forms, form ' +
          'values, communications and credentials, such as `APPLICATION_CREATE` and `CANDIDATE_ANONYMISE`. Their ' +
          'messages have `type`. Every message has the header `x-service-notify-type`.',
      },
      {
        change:
          'A credential has a share of the database connections, and budgets of database time and bytes. ' +
          '`RateLimit-Policy` and `RateLimit` show them, and a 429 names the exceeded limit in `limit`.',
      },
      {
        change:
          'A request and its stored searches together have at most 20 conditions and 4,000 values, a layout has a ' +
          'weight of at most 300, and an answer has at most 32 MiB.',
        upgrade: 'Above these limits the answer is 400 `too_complex`. Send smaller requests.',
      },
      { change: 'Stored layouts, searches, forms, templates, selections, topics and subscriptions have quotas.' },
      {
        change: 'Requests of browsers from other sites with `POST`, `PUT`, `PATCH` or `DELETE` are 403.',
        upgrade: 'A server that passes on the `Origin` of a browser must remove it, or `CORS_ORIGINS` must list it.',
      },
      { change: 'Answers to credentials have `Cache-Control: no-store`. `/openapi.json` has an `ETag`.' },
      { change: '`PATCH` and `PUT` accept unchanged stored values and texts that a later rule forbids.' },
      {
        change:
          'Items that have `PUT` also have `PATCH` (JSON Merge Patch). ' +
          '`PUT` and `PATCH` accept what `GET` gave: read-only properties with their present value are ignored.',
        upgrade:
          'A read-only property with another value is 422 `read_only`, before `invalid`. Leave it out, or read again.',
      },
      {
        change: 'Every operation rejects unknown properties, also operations without a body, such as `anonymise`.',
        upgrade: 'Remove properties that the reference does not list. Before, some were ignored.',
      },
      {
        change: 'The answer to a write shows only what the credential may read.',
        upgrade:
          'A credential without the read scope of the resource gets ' +
          '`id`, `uuid`, `url`, `created_dt` and `updated_dt`. Grant the read scope if you use more of the answer.',
      },
      {
        change:
          'Narrow scopes: `<resource>:create`, `<resource>:move` and `<resource>:delete`, such as ' +
          '`applications:create`. `<resource>:write` includes them. `GET /scopes` lists all scopes.',
      },
      {
        change:
          '`on_existing_candidate` decides whether `POST /applications` refuses, uses or updates a known candidate.',
      },
      {
        change:
          'Forms have `on_apply`: `required`, `optional` (default) or `hidden`. Violations about form items have ' +
          '`item_id`, `item_key`, `section_instance` and `form_instance`.',
      },
      { change: 'A violation that means an existing object names it in `existing`, if the credential may read it.' },
      {
        change: '`?dry_run=true` shows what anonymising or deleting a candidate would remove, and changes nothing.',
      },
      {
        change: 'E-mail addresses are compared regardless of case in `search`, `filter` and unique values.',
      },
      {
        change: 'The domain of an e-mail address needs a dot.',
        upgrade: 'Addresses such as `a@b` are 422 `invalid`.',
      },
      { change: 'Postings have `accepts_applications`, which is true while candidates can apply.' },
      {
        change:
          '`PATCH /systems/1` changes `name`, `domain`, `timezone`, `default_language` and `environment` ' +
          'with the scope `systems:write`.',
      },
      {
        change:
          'Attributes with a closed list of values are checked in `search`, in parameters and in expressions. ' +
          'Errors about names and values suggest the nearest ones.',
        upgrade:
          'A value outside the list is an error. Before, it matched nothing. ' +
          'Stored searches with such values stay usable until you write them again.',
      },
      {
        change:
          'Every collection, every stored search and the members of selections take `where`, an expression in the ' +
          'language of topics, beside `search` and `filter`. ' +
          'In expressions, texts are ordered by code point, and `=~` takes a final sigma for any other sigma.',
      },
      {
        change:
          'Topics, scoring rules and conditions of forms have a preview of the objects that an expression matches now, ' +
          'with their number and values: `POST /notification_topics/objects/preview`, ' +
          '`/vacancies/{id}/scoring_rules/preview`, `/events/{id}/scoring_rules/preview` and ' +
          '`/forms/{id}/conditions/preview`.',
      },
      {
        change: 'Dates in `search` can be relative, such as `/created_dt>=DATE("today") - DTDURATION(7,0,0,0)`.',
      },
      {
        change:
          'Links of long queries carry `query=<handle>`. `POST /<collection>/query` takes the parameters as JSON.',
        upgrade: 'Follow the links as they are. Do not read parameters out of them.',
      },
      {
        change:
          '`GET /processes`, `/event_types` and `/datapaths` list the states, types of events and datapaths. ' +
          'States have `id` and `is_terminal`.',
      },
      {
        change:
          'Answers are compressed with `br` or `gzip` by `Accept-Encoding`. ' +
          'Operators can serve TLS with `TLS_CERT_FILE` and `TLS_KEY_FILE`.',
      },
      {
        change: '`Accept` is checked.',
        upgrade: 'An `Accept` header that does not allow the media type of the answer gets 406.',
      },
      { change: 'Timestamps in requests have more forms, such as `20261121T0900Z`. They must have a zone.' },
      {
        change: 'A missing body and a malformed percent escape, such as `%zz`, are 400.',
        upgrade: 'A missing body was 422 before, and a malformed escape was accepted in a query.',
      },
      {
        change:
          'A repeated request with an `Idempotency-Key` is compared as JSON: ' +
          'another order of properties is the same request.',
      },
      {
        change: 'The notifier answers `/health/ready` in the same words as the API.',
        upgrade:
          'Monitors of the notifier read `status` `ok` and the results in `checks`. Before: `ready` and `database`.',
      },
      {
        change: 'An outbound `sms` is 422 `channel_unavailable` while the service has no gateway for it.',
        upgrade: 'Before, it stayed `queued` for ever.',
      },
    ],
  },
];
