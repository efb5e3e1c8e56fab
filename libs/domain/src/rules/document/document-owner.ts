import { type Message, message } from '@ats/message';
import { runStatement, type Transaction } from '@ats/postgres';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { documents } from '../../objects/document.model.js';
import { idSchema } from '../../vocabulary/value-schema.js';
import { ValidationError, type Violation } from '../../vocabulary/validation-error.js';
import { bodyViolations } from '../../writing/body-violations.js';
import { lockObject } from '../../writing/lock-object.js';
import { replaceObject } from '../../writing/write-object.js';
import { type WriteBody } from '../../writing/write-schema.js';
import { forgetUploadsOf } from './document-uploads.js';

const OWNERS = ['application_id', 'candidate_id'] as const;
type Owners = Readonly<Record<(typeof OWNERS)[number], number | null>>;

/** Maximum number of documents of one application or candidate. */
const MAX_OF_OWNER = 100;
/**
 * SQL that reads the status of the candidate behind an owner. It locks the candidate, so that no other transaction can
 * anonymise the candidate or add documents.
 */
const STATUS_OF = {
  application_id: `SELECT status FROM users WHERE id = (SELECT user_id FROM applications WHERE id = $1)
    FOR NO KEY UPDATE`,
  candidate_id: 'SELECT status FROM users WHERE id = $1 FOR NO KEY UPDATE',
} as const;

/** A request that replaces the name, the kind or the owner of a stored document. */
export interface DocumentChange {
  readonly id: number;
  readonly body: WriteBody;
  /** The credential of the request. */
  readonly credentialId: number;
}

/**
 * Replaces name and kind of a document, and sets its owner when the document has none. The owner stays the same when the
 * body leaves it out.
 * @throws {ValidationError} when the credential cannot set the owner
 */
export async function replaceDocument(
  transaction: Transaction,
  change: DocumentChange,
  settings: ReadSettings,
): Promise<void> {
  const { id, body } = change;
  const violations = await documentChangeViolations(transaction, change);
  if (violations.length > 0) throw new ValidationError(documents.name, violations);
  const stored = await ownersOf(transaction, id);
  const extra = Object.fromEntries(OWNERS.map((name) => [name, body[name] ?? stored[name]]));
  await replaceObject(transaction, documents, { id, body: withNewOwner(body, stored), extra }, settings);
  await forgetUploadsOf(transaction, OWNERS.some((name) => extra[name] !== null) ? [id] : []);
}

/**
 * Finds the violations of a changed document that only the database can show. Locks the document and its owner.
 * Source: docs/reference/documents.md, "Owners".
 */
export async function documentChangeViolations(
  transaction: Transaction,
  { id, body, credentialId }: DocumentChange,
): Promise<readonly Violation[]> {
  await lockObject(transaction, documents, id);
  const stored = await ownersOf(transaction, id);
  const found = await bodyViolations(transaction, documents, withNewOwner(body, stored), id);
  const isFree = OWNERS.every((name) => stored[name] === null) && stored.credential_id === credentialId;
  const changed = OWNERS.filter((name) => body[name] !== undefined && body[name] !== stored[name]);
  for (const [index, path] of changed.entries()) {
    const info = message`only the credential that uploaded a document can set its owner, once`;
    if (!isFree || index > 0) found.push({ path: `/${path}`, code: 'invalid', info });
    else found.push(...(await ownerViolations(transaction, path, body[path])));
  }
  return found;
}

/**
 * Returns the body without the owner that the document already has. A check of this owner would lock it after the
 * document, but the deletion of an owner locks the owner first.
 */
const withNewOwner = (body: WriteBody, stored: Owners): WriteBody =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !OWNERS.some((owner) => owner === name && value === stored[owner])),
  );

/** Returns a violation when the owner is anonymised, or has too many documents. */
async function ownerViolations(
  transaction: Transaction,
  path: (typeof OWNERS)[number],
  given: unknown,
): Promise<readonly Violation[]> {
  const { data } = idSchema.safeParse(given);
  if (data === undefined) return [];
  const [user] = await runStatement<{ status: string }>(transaction, STATUS_OF[path], [data]);
  const violation = (info: Message): readonly Violation[] => [{ path: `/${path}`, code: 'invalid', info }];
  if (user?.status === 'anonymised') return violation(message`the candidate is anonymised and cannot be changed`);
  const owned = await runStatement(transaction, `SELECT FROM documents WHERE ${path} = $1 LIMIT ${MAX_OF_OWNER}`, [
    data,
  ]);
  return owned.length < MAX_OF_OWNER
    ? []
    : violation(message`an application or a candidate has at most ${MAX_OF_OWNER} documents`);
}

async function ownersOf(
  transaction: Transaction,
  id: number,
): Promise<Owners & { readonly credential_id: number | null }> {
  const [row] = await runStatement<Readonly<Record<string, string | null>>>(
    transaction,
    'SELECT application_id, candidate_id, credential_id FROM documents WHERE id = $1',
    [id],
  );
  const idIn = (name: string): number | null => (row?.[name] ? Number(row[name]) : null);
  return {
    application_id: idIn('application_id'),
    candidate_id: idIn('candidate_id'),
    credential_id: idIn('credential_id'),
  };
}
