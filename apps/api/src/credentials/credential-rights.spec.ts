// @group split: npm test draws a tenth of the random cases
import {
  addressCheck,
  type CredentialRights,
  losesLastWriter,
  planRevocation,
  rightsWithin,
  type RevocationRequest,
} from '@ats/domain';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  Chains,
  type CreateRequest,
  type Credentials,
  type Granted,
  type Sender,
} from '../../test/credentials/credential-chains.js';
import { ALL_SCOPES, sequences } from '../../test/credentials/credential-commands.js';
import { allows, type Scope } from '../vocabulary/scopes.js';

interface Row extends Granted {
  readonly worksAt: ((address: string) => boolean) | undefined;
  expiresDt: Date | null;
  readonly makers: readonly Row[];
  isRevoked: boolean;
}

/** Returns the number of random cases to draw: all in `npm run test:all`, a tenth of them in `npm test`. */
const runs = (all: number): number => (process.env['TEST_ALL'] === '1' ? all : all / 10);

const RUNS = runs(5_000);
const HOUR_MS = 3_600_000;
const covers = (scopes: readonly string[], scope: string): boolean => allows(new Set(scopes), scope as Scope);

const checks = new Map<string, ReturnType<typeof addressCheck>>();
/** Returns the check of addresses for a list of networks. The check is made once for each list. */
function worksAt(networks: readonly string[]): ReturnType<typeof addressCheck> {
  const key = networks.join();
  if (!checks.has(key)) checks.set(key, addressCheck(networks));
  return checks.get(key);
}

/** Applies the rules of credentials to rows in memory, not in the database. */
class CredentialsInMemory implements Credentials {
  readonly recruiterIds = [1, 2, 3];
  readonly hasOtherWriters = false;
  readonly #rows: Row[] = [];
  readonly #inactive = new Set<number>();

  add(rights: CredentialRights, makers: readonly Row[]): Row {
    const id = this.#rows.length + 1;
    const row: Row = { id, token: '', ...rights, worksAt: worksAt(rights.allowedCidrs), makers, isRevoked: false };
    this.#rows.push(row);
    return row;
  }

  #isLive = ({ isRevoked, expiresDt }: Row): boolean => !isRevoked && (!expiresDt || expiresDt > new Date());

  #works = (row: Row): boolean =>
    this.#isLive(row) &&
    [row, ...row.makers.filter(({ isRevoked }) => !isRevoked)].every((one) => !this.#inactive.has(one.recruiterId));

  #rowOf({ credential, address }: Sender): Row | undefined {
    const row = this.#rows[credential.id - 1];
    return row && this.#works(row) && (row.worksAt?.(address) ?? true) ? row : undefined;
  }

  #writers(): RevocationRequest['writers'] {
    return this.#rows.filter((row) => this.#works(row) && covers(row.scopes, 'credentials:write'));
  }

  create(sender: Sender, request: CreateRequest): Promise<Granted | null> {
    const maker = this.#rowOf(sender);
    if (!maker || !covers(maker.scopes, 'credentials:create')) return Promise.resolve(null);
    const { rights, violations } = rightsWithin(maker, request, { now: new Date(), covers });
    const isRefused = violations.length > 0 || this.#inactive.has(rights.recruiterId);
    return Promise.resolve(isRefused ? null : { ...this.add(rights, [maker, ...maker.makers]) });
  }

  revoke(sender: Sender, { id: targetId }: Granted, keepChildren: boolean): Promise<boolean> {
    const actor = this.#rowOf(sender);
    const target = this.#rows[targetId - 1];
    if (!actor || !target || !covers(actor.scopes, 'credentials:delete')) return Promise.resolve(false);
    const plan = planRevocation({
      actor,
      target,
      descendants: this.#rows.filter((row) => row.makers.includes(target) && this.#isLive(row)),
      writers: this.#writers(),
      keepChildren,
      now: new Date(),
      covers,
    });
    if (plan.kind !== 'allowed') return Promise.resolve(false);
    for (const row of this.#rows) if (plan.ids.includes(row.id)) row.isRevoked = true;
    return Promise.resolve(true);
  }

  setActive(recruiterId: number, isActive: boolean): Promise<boolean> {
    const before = this.#writers();
    const wasActive = !this.#inactive.has(recruiterId);
    if (isActive) this.#inactive.delete(recruiterId);
    else this.#inactive.add(recruiterId);
    const isRefused = losesLastWriter(before, this.#writers(), new Date());
    if (isRefused && wasActive) this.#inactive.delete(recruiterId);
    return Promise.resolve(!isRefused);
  }

  pass(hours: number): Promise<void> {
    for (const row of this.#rows)
      if (row.expiresDt) row.expiresDt = new Date(row.expiresDt.getTime() - hours * HOUR_MS);
    return Promise.resolve();
  }

  accepts(senders: readonly Sender[]): Promise<readonly boolean[]> {
    return Promise.resolve(senders.map((sender) => this.#rowOf(sender) !== undefined));
  }
}

describe('credentials', () => {
  it('never have a scope, a recruiter, a network or a lifetime that one of their makers lacks', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(sequences, async (commands) => {
        const credentials = new CredentialsInMemory();
        const none = { expiresDt: null, allowedCidrs: [] };
        const root = credentials.add({ scopes: ALL_SCOPES, recruiterId: 1, ...none }, []);
        const chains = new Chains(credentials, [{ ...root }]);
        for (const command of commands) await chains.run(command);
        accepted += chains.accepted;
        expect(chains.violations).toEqual([]);
      }),
      { numRuns: RUNS },
    );
    expect(accepted).toBeGreaterThan(RUNS);
  }, 400_000);
});
