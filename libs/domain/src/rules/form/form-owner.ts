import { message } from '@ats/message';
import { runStatement, type Transaction } from '@ats/postgres';
import { conditionsOf, tableOf } from '../../reading/representation-sql.js';
import { type Resource } from '../../vocabulary/resource.js';
import { NotFoundError, type Violation } from '../../vocabulary/validation-error.js';
import { type OwnerValues } from './validate-form-values.js';

type Owner = Pick<OwnerValues, 'id' | 'pointer'>;

/** The owners of form values. They are locked until the transaction ends. */
export interface LockedOwners {
  /**
   * Maps the id of each owner to the id of its opportunity. A vacancy or event is its own opportunity. Missing owners
   * are absent.
   */
  readonly opportunities: ReadonlyMap<number, number>;
  readonly violations: readonly Violation[];
}

/**
 * Locks the owners of form values.
 * @throws {NotFoundError} when the owner in the path of the request does not exist; a missing owner of a bulk write is
 *   a violation instead
 */
export async function lockOwners(
  transaction: Transaction,
  resource: Resource,
  owners: readonly Owner[],
): Promise<LockedOwners> {
  const ids = owners.map(({ id }) => id);
  const isApplication = resource.type.name === 'application';
  const anonymised = new Set(isApplication ? await lockPeople(transaction, ids) : []);
  const rows = await runStatement<{ id: number; opportunity_id: number }>(
    transaction,
    `SELECT t.id, t.${isApplication ? 'opportunity_id' : 'id'} AS opportunity_id FROM ${tableOf(resource.type)} t
     WHERE ${['t.id = ANY($1)', ...conditionsOf(resource, 't', '')].join(' AND ')} ORDER BY t.id FOR UPDATE`,
    [ids],
  );
  const opportunities = new Map(rows.map(({ id, opportunity_id }) => [id, opportunity_id]));
  const [only] = owners;
  if (only && isOfOne(only) && !opportunities.has(only.id)) throw new NotFoundError(resource.type.name, only.id);
  const violations = owners.flatMap(({ id, pointer }, index): Violation[] => {
    const path = pointer.replace(/\/form_values$/, '');
    if (ids.indexOf(id) < index)
      return [{ path: `${path}/id`, code: 'invalid', info: message`the request contains this id more than once` }];
    if (!opportunities.has(id))
      return [{ path: `${path}/id`, code: 'invalid', info: new NotFoundError(resource.type.name, id).info }];
    return anonymised.has(id)
      ? [{ path, code: 'anonymised', info: message`the candidate is anonymised and cannot be changed` }]
      : [];
  });
  return { opportunities, violations };
}

/** True when the path of the request names the owner, which is then the only owner of the request. */
const isOfOne = ({ pointer }: Owner): boolean => pointer === '/form_values';

/**
 * Locks the candidates of applications before the applications, in the same order as anonymising does.
 * @returns the ids of the applications whose candidate is anonymised
 */
async function lockPeople(transaction: Transaction, applicationIds: readonly number[]): Promise<readonly number[]> {
  await runStatement(
    transaction,
    'SELECT FROM users WHERE id IN (SELECT user_id FROM applications WHERE id = ANY($1)) ORDER BY id FOR SHARE',
    [applicationIds],
  );
  const rows = await runStatement<{ id: number }>(
    transaction,
    `SELECT a.id FROM applications a JOIN users u ON u.id = a.user_id
     WHERE a.id = ANY($1) AND u.status = 'anonymised'`,
    [applicationIds],
  );
  return rows.map(({ id }) => id);
}
