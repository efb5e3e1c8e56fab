import { LASTING_DAYS, lockCredentials, losesLastWriter, readWriters } from '@ats/domain';
import { type Transaction } from '@ats/postgres';
import { message } from '@ats/message';
import { Problem } from '../vocabulary/problem.js';

/**
 * Describes the 409 answer in the reference. A change gets it when it would leave no lasting credential that can write
 * credentials.
 */
export const NO_WRITER_LEFT =
  'No credential with `credentials:write` that is valid for more than 7 days would be left.';

/**
 * Runs a change that may stop credentials, such as the deactivation of a recruiter.
 * @throws {Problem} 409 when no lasting credential that can write credentials would be left
 * Source: docs/reference/authentication.md, "Revocation".
 */
export async function keepWriters<T>(transaction: Transaction, change: () => Promise<T>): Promise<T> {
  await lockCredentials(transaction);
  const before = await readWriters(transaction);
  const result = await change();
  if (losesLastWriter(before, await readWriters(transaction), new Date()))
    throw new Problem(
      409,
      message`This would end the last credential with the scope ${'credentials:write'} that is valid for more \
than ${LASTING_DAYS} days: first create one that acts as another recruiter`,
    );
  return result;
}
