import { randomUUID } from 'node:crypto';
import { message } from '@ats/message';
import { runStatement, type Transaction } from '@ats/postgres';
import { candidate as candidateType, candidates } from '../../objects/user.model.js';
import { readItem } from '../../reading/read-item.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { type Violation } from '../../vocabulary/validation-error.js';
import { type WriteBody, writeSchema } from '../../writing/write-schema.js';
import { addCandidate } from '../candidate/add-candidate.js';
import { markNotes, recordNotes } from '../../writing/event/note-changes.js';
import { changeCandidate } from '../candidate/change-candidate.js';

/**
 * The modes of a request whose inline candidate has the e-mail address of a stored candidate. `refuse` refuses the
 * request, `use` applies for the stored person and ignores the given values, and `update` changes the stored person to
 * the given values.
 * Source: docs/reference/resources.md, "Applying for a known person".
 */
export const ON_EXISTING_CANDIDATE = ['refuse', 'use', 'update'] as const;
export type OnExistingCandidate = (typeof ON_EXISTING_CANDIDATE)[number];

/** Returns the mode that a body asks for. The body may be invalid; the default is `refuse`. */
export const modeOf = ({ on_existing_candidate: given }: WriteBody): OnExistingCandidate =>
  ON_EXISTING_CANDIDATE.find((mode) => mode === given) ?? 'refuse';

/** The result of the search for a stored person with the e-mail address of an inline candidate. */
export interface KnownPerson {
  /** Absent when no stored person has the address. */
  readonly id?: number;
  readonly violations: readonly Violation[];
}

/**
 * Finds the stored candidate with the e-mail address of an inline candidate, and locks that candidate until the
 * transaction ends. When the address belongs to another kind of user, the result is a violation, whose text does not
 * say which kind.
 */
export async function findKnownPerson(
  transaction: Transaction,
  { email }: WriteBody,
  mode: OnExistingCandidate,
): Promise<KnownPerson> {
  if (!candidateType.attributes['email']?.schema.safeParse(email).success) return { violations: [] };
  const [user] = await runStatement<{ id: number; is_usable: boolean }>(
    transaction,
    `SELECT id, type = 'candidate' AND status <> 'anonymised' AS is_usable FROM users
     WHERE lower(email) = lower($1) FOR ${mode === 'update' ? 'UPDATE' : 'SHARE'}`,
    [email],
  );
  if (!user) return { violations: [] };
  if (user.is_usable) return { id: user.id, violations: [] };
  const info = message`this e-mail address cannot be used to apply`;
  return { violations: [{ path: '/email', code: 'invalid', info }] };
}

/** Returns an e-mail address that nobody has, for a candidate whose creation is rolled back. */
export const unusedAddress = (): string => `${randomUUID()}@example.com`;

/**
 * Returns the id of the person who applies: the stored person, or a new candidate when no stored person has the
 * address. Both cases take the same time: for a stored person, the function also adds a candidate, and rolls this back.
 */
export async function applyAsKnown(
  transaction: Transaction,
  given: WriteBody,
  knownId: number | undefined,
  recruiterId: number,
): Promise<number> {
  await transaction.query('SAVEPOINT applicant');
  const forgetNotes = markNotes(transaction);
  const body = knownId === undefined ? given : { ...given, email: unusedAddress() };
  const id = await addCandidate(transaction, body, { recruiterId });
  if (knownId === undefined) {
    await transaction.query('RELEASE SAVEPOINT applicant');
    return id;
  }
  // The commit records the event of a new candidate. For a stored person, this line takes the same time, so that an
  // answer does not reveal by its time whether the person is known.
  await recordNotes(transaction);
  await transaction.query('ROLLBACK TO SAVEPOINT applicant');
  forgetNotes();
  return knownId;
}

/**
 * Changes the given properties of a stored candidate and adds a history entry. The stored spelling of the address
 * stays, so that an activation link remains valid.
 */
export async function updateKnown(
  transaction: Transaction,
  given: WriteBody,
  id: number,
  { recruiterId, settings }: { readonly recruiterId: number; readonly settings: ReadSettings },
): Promise<void> {
  const present = JSON.parse(await readItem(transaction, candidates, id, settings)) as WriteBody;
  const names = Object.keys(writeSchema(candidates.type).shape);
  const kept: WriteBody = Object.fromEntries(names.map((name) => [name, present[name]] as const));
  const body: WriteBody = { ...kept, ...definedOf(given), email: present['email'] };
  await changeCandidate(transaction, { id, body, recruiterId }, settings);
}

const definedOf = (given: WriteBody): WriteBody =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
