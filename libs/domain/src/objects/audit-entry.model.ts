import { datetime, id, idList, integer, text, textList } from '../vocabulary/attribute.js';
import { urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { toOne } from '../vocabulary/relation.js';
import { resource } from '../vocabulary/resource.js';
import { listCodes } from './attempt-errors.js';

/** The kinds of audit entries, with their meanings. Source: docs/reference/audit.md, "Actions". */
const ACTION_MEANINGS = {
  sign_in_refused: 'a request had no valid credential',
  scope_refused: 'a credential lacked a scope',
  personal_data_read: 'an answer contained items with personal data',
  credential_created: 'a credential was created',
  credential_first_used: 'a credential was used for the first time',
  credential_revoked: 'a credential was revoked',
  anonymised: 'a person was anonymised',
  settings_changed: 'settings of the system were changed',
  exported: 'items of a collection were exported',
} as const;
export type AuditAction = keyof typeof ACTION_MEANINGS;
export const AUDIT_ACTIONS = Object.keys(ACTION_MEANINGS) as [AuditAction, ...AuditAction[]];

const OUTCOME_MEANINGS = {
  done: 'the action succeeded',
  refused: 'the service refused the action',
  failed: 'the action began, and its answer may be incomplete',
} as const;
export type AuditOutcome = keyof typeof OUTCOME_MEANINGS;
export const AUDIT_OUTCOMES = Object.keys(OUTCOME_MEANINGS) as [AuditOutcome, ...AuditOutcome[]];

/** An entry of the audit log. Entries are never changed. Source: docs/reference/audit.md. */
export const auditEntry = objectType({
  name: 'audit_entry',
  table: 'audit_entries',
  label: 'action',
  scopes: ['audit'],
  properties: {
    id: id({ shown: true }),
    url: urlIn('audit_entries'),
    occurred_dt: datetime({
      shown: true,
      description: 'Time of the action. An entry for several refusals has the time of the first one.',
    }),
    action: text({ shown: true, values: AUDIT_ACTIONS, description: `${listCodes(ACTION_MEANINGS)}.` }),
    outcome: text({ shown: true, values: AUDIT_OUTCOMES, description: `${listCodes(OUTCOME_MEANINGS)}.` }),
    occurrences: integer({
      shown: true,
      description: 'The number of equal refusals within a minute that the entry stands for; otherwise 1.',
    }),
    credential: toOne('credential', {
      shows: ['id', 'url'],
      nullable: true,
      description: 'The credential of the request. Null without a valid credential, and for the service itself.',
    }),
    recruiter: toOne('recruiter', {
      shows: ['id', 'url'],
      nullable: true,
      description: 'The recruiter for whom the credential acted.',
    }),
    address: text({
      shown: true,
      nullable: true,
      description:
        'IP address of the client. For refused sign-ins, the network that the limit of failed sign-ins counts.',
    }),
    request_id: text({
      shown: true,
      nullable: true,
      description: '`X-Request-Id` of the request. An entry for several refusals has the id of the first one.',
    }),
    scope: text({
      shown: true,
      nullable: true,
      description: 'For `scope_refused`: the missing scope, or several scopes of which the request needed one.',
    }),
    collection: text({ shown: true, nullable: true, description: 'Name of the collection of the items.' }),
    item_ids: idList({ shown: true, description: 'Ids of the items, in the order of the answer.' }),
    item_count: integer({ shown: true, nullable: true, description: 'The number of items.' }),
    query_digest: text({
      shown: true,
      nullable: true,
      description: 'Digest of the conditions of a read. Equal conditions have equal digests.',
    }),
    changed: textList({
      shown: true,
      description: 'For `settings_changed`: the names of the changed properties.',
    }),
  },
});

/** The audit log. The default order is newest first. */
export const auditEntries = resource({
  name: 'audit_entries',
  type: auditEntry,
  describe: {
    group: 'People and access',
    title: 'Audit log',
    text: `The audit log: who read personal data, created or revoked credentials, anonymised people,
changed settings, or was refused. Entries are never changed, and are kept for 400 days by default. They contain ids and
digests, and no personal data of candidates.`,
  },
  scope: 'audit',
  order: ['id!desc'],
  attributeFilters: ['action', 'outcome'],
  isAppendOnly: true,
  isLog: true,
});
