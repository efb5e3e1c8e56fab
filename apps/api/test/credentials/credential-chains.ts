import ipaddr from 'ipaddr.js';
import fc from 'fast-check';

/** A credential as its creation answered. */
export interface Granted {
  readonly id: number;
  readonly token: string;
  readonly scopes: readonly string[];
  readonly recruiterId: number;
  readonly expiresDt: Date | null;
  readonly allowedCidrs: readonly string[];
}

export interface CreateRequest {
  readonly scopes: readonly string[];
  readonly recruiterId: number | null;
  readonly expiresDt: Date | null;
  readonly allowedCidrs: readonly string[];
}

/** The credentials under test. Each method returns null or false when the request is refused. */
export interface Credentials {
  readonly recruiterIds: readonly number[];
  /** True when credentials outside the sequence can write credentials, so that the last one is never in it. */
  readonly hasOtherWriters: boolean;
  create(maker: Sender, request: CreateRequest): Promise<Granted | null>;
  revoke(actor: Sender, target: Granted, keepChildren: boolean): Promise<boolean>;
  setActive(recruiterId: number, isActive: boolean): Promise<boolean>;
  /** Moves the expiry of every credential so many hours closer. */
  pass(hours: number): Promise<void>;
  /** True for each sender whose requests are accepted. */
  accepts(senders: readonly Sender[]): Promise<readonly boolean[]>;
}

export interface Sender {
  readonly credential: Granted;
  readonly address: string;
}

/** The scopes of the sequences, each with everything that it includes. */
const INCLUDED: Readonly<Record<string, readonly string[]>> = {
  'applications:read': [],
  'applications:create': [],
  'applications:write': ['applications:create'],
  'credentials:read': [],
  'credentials:create': [],
  'credentials:delete': [],
  'credentials:write': ['credentials:create', 'credentials:delete'],
  'credentials:impersonate': [],
  'credentials:admin': [],
  '*:read': ['applications:read', 'credentials:read'],
  '*:write': [
    'applications:write',
    'applications:create',
    'credentials:write',
    'credentials:create',
    'credentials:delete',
  ],
  '*:admin': ['credentials:impersonate', 'credentials:admin'],
};
const SCOPES = Object.keys(INCLUDED);
export const ALL_SCOPES: readonly string[] = ['*:read', '*:write', '*:admin'];
const NETWORKS = ['0.0.0.0/0', '10.0.0.0/8', '10.1.0.0/16', '10.1.2.3/32', '::/0', '2001:db8::/32', '2001:db8:1::/48'];
const ADDRESSES = ['10.1.2.3', '10.1.9.9', '10.200.0.1', '203.0.113.9', '2001:db8:1::5', '2001:db8:2::5', '2620::1'];
const HOUR_MS = 3_600_000;
/** Seven days, and less than one hour for the time that a sequence takes. */
const LASTING_MS = 7 * 24 * HOUR_MS;

const has = (scopes: readonly string[], scope: string): boolean =>
  scopes.some((one) => one === scope || INCLUDED[one]?.includes(scope) === true);
const covers = (scopes: readonly string[], others: readonly string[]): boolean =>
  others.every((scope) => has(scopes, scope));

const known = new Map<string, boolean>();
function admits(networks: readonly string[], address: string): boolean {
  const key = `${networks.join()} ${address}`;
  const result = known.get(key) ?? isIn(networks, address);
  known.set(key, result);
  return result;
}

function isIn(networks: readonly string[], address: string): boolean {
  const parsed = ipaddr.parse(address);
  return (
    networks.length === 0 ||
    networks.some((network) => {
      const range = ipaddr.parseCIDR(network);
      return range[0].kind() === parsed.kind() && parsed.match(range);
    })
  );
}

/** True when each network is a part of one of the others. */
const lieInside = (networks: readonly string[], others: readonly string[]): boolean =>
  others.length === 0 ||
  networks.every((network) =>
    others.some((other) => {
      const [[start, length], outer] = [ipaddr.parseCIDR(network), ipaddr.parseCIDR(other)];
      return start.kind() === outer[0].kind() && length >= outer[1] && start.match(outer);
    }),
  );

export type Command =
  | {
      readonly kind: 'create';
      readonly maker: number;
      readonly scopes: readonly string[];
      readonly recruiter: number | null;
      readonly hours: number | null;
      readonly networks: readonly string[];
    }
  | { readonly kind: 'revoke'; readonly actor: number; readonly target: number; readonly keepChildren: boolean }
  | { readonly kind: 'activate'; readonly recruiter: number; readonly isActive: boolean }
  | { readonly kind: 'pass'; readonly hours: number };

const index = fc.nat({ max: 50 });
const create = fc.record({
  kind: fc.constant('create' as const),
  maker: index,
  scopes: fc.oneof(
    fc.constant([...ALL_SCOPES]),
    fc.subarray(SCOPES, { minLength: 1, maxLength: 5 }),
    fc.subarray(SCOPES, { maxLength: 2 }).map((some) => [...new Set(['credentials:write', ...some])]),
  ),
  recruiter: fc.option(fc.nat({ max: 2 }), { freq: 2 }),
  hours: fc.option(fc.constantFrom(-1, 3, 24, 24 * 30, 24 * 60)),
  networks: fc.oneof(fc.constant<string[]>([]), fc.subarray(NETWORKS, { minLength: 1, maxLength: 2 })),
});
/** Sequences of operations. Credentials and recruiters are numbered, and greater numbers start again. */
export const sequences: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: create },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('revoke' as const),
        actor: index,
        target: index,
        keepChildren: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('activate' as const),
        recruiter: fc.nat({ max: 2 }),
        isActive: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('pass' as const), hours: fc.constantFrom(2, 23, 24 * 25, 24 * 40) }),
    },
  ),
  { minLength: 2, maxLength: 12 },
);

interface Entry {
  readonly granted: Granted;
  readonly maker: Entry | null;
  msLeft: number | null;
  isRevoked: boolean;
}

/**
 * Runs operations, and expects after each that every credential works exactly when its chain of makers allows it. It
 * knows the rules from the documentation and shares no code with the service.
 */
export class Chains {
  /** A sequence takes no time: hours only pass by the command `pass`. */
  readonly #start = Date.now();
  readonly #entries: Entry[];
  readonly #inactive = new Set<number>();
  /** What contradicts the rules. */
  readonly violations: string[] = [];
  accepted = 0;

  constructor(
    private readonly credentials: Credentials,
    roots: readonly Granted[],
  ) {
    this.#entries = roots.map((granted) => ({
      granted,
      maker: null,
      msLeft: this.#msLeftOf(granted),
      isRevoked: false,
    }));
  }

  async run(command: Command): Promise<void> {
    const before = this.accepted;
    if (command.kind === 'create') await this.#create(command);
    else if (command.kind === 'revoke') await this.#revoke(command);
    else if (command.kind === 'activate') await this.#activate(command);
    else {
      await this.credentials.pass(command.hours);
      for (const entry of this.#entries) if (entry.msLeft !== null) entry.msLeft -= command.hours * HOUR_MS;
      this.accepted += 1;
    }
    // A refused operation changes nothing that the next comparison would not find.
    if (this.accepted === before) return;
    await this.#compareAll(JSON.stringify(command));
  }

  #msLeftOf = ({ expiresDt }: Granted): number | null => expiresDt && expiresDt.getTime() - this.#start;

  #at(position: number): Entry {
    const entry = this.#entries[position % this.#entries.length];
    if (!entry) throw new Error('there is no credential');
    return entry;
  }

  #recruiter(position: number): number {
    return this.credentials.recruiterIds[position % this.credentials.recruiterIds.length] ?? 0;
  }

  #ancestors({ maker }: Entry): readonly Entry[] {
    return maker ? [maker, ...this.#ancestors(maker)] : [];
  }

  #isLive = ({ isRevoked, msLeft }: Entry): boolean => !isRevoked && (msLeft === null || msLeft > 0);

  #works(entry: Entry, inactive: ReadonlySet<number> = this.#inactive): boolean {
    const bound = [entry, ...this.#ancestors(entry).filter(({ isRevoked }) => !isRevoked)];
    return this.#isLive(entry) && bound.every(({ granted }) => !inactive.has(granted.recruiterId));
  }

  #senderOf({ granted }: Entry): Sender {
    const address = ADDRESSES.find((one) => admits(granted.allowedCidrs, one)) ?? '';
    return { credential: granted, address };
  }

  async #create({ maker: position, scopes, recruiter, hours, networks }: Command & { kind: 'create' }): Promise<void> {
    const maker = this.#at(position);
    const rights = maker.granted;
    const recruiterId = recruiter === null ? null : this.#recruiter(recruiter);
    const expiresDt = hours === null ? null : new Date(this.#start + hours * HOUR_MS);
    const granted = await this.credentials.create(this.#senderOf(maker), {
      scopes,
      recruiterId,
      expiresDt,
      allowedCidrs: networks,
    });
    const acting = recruiterId ?? rights.recruiterId;
    const isAllowed =
      this.#works(maker) &&
      has(rights.scopes, 'credentials:create') &&
      covers(rights.scopes, scopes) &&
      (acting === rights.recruiterId || has(rights.scopes, 'credentials:impersonate')) &&
      !this.#inactive.has(acting) &&
      (hours === null || (hours > 0 && (maker.msLeft === null || hours * HOUR_MS <= maker.msLeft))) &&
      lieInside(networks, rights.allowedCidrs);
    this.#expect(isAllowed === (granted !== null), `creation: ${String(granted !== null)}, not ${String(isAllowed)}`);
    if (!granted) return;
    this.accepted += 1;
    const entry = { granted, maker, msLeft: this.#msLeftOf(granted), isRevoked: false };
    this.#entries.push(entry);
    this.#compareRights(entry);
  }

  /** No credential has a right that one of its makers lacked. */
  #compareRights(entry: Entry): void {
    const { granted } = entry;
    for (const { granted: maker, msLeft } of this.#ancestors(entry)) {
      this.#expect(covers(maker.scopes, granted.scopes), `scopes beyond those of ${maker.id}`);
      const mayAct = granted.recruiterId === maker.recruiterId || has(maker.scopes, 'credentials:impersonate');
      this.#expect(mayAct, `another recruiter than ${maker.id}`);
      const isShorter = msLeft === null || (entry.msLeft !== null && entry.msLeft <= msLeft + 1_000);
      this.#expect(isShorter, `a longer life than ${maker.id}`);
      for (const address of ADDRESSES)
        this.#expect(
          !admits(granted.allowedCidrs, address) || admits(maker.allowedCidrs, address),
          `works at ${address}, where ${maker.id} does not`,
        );
    }
  }

  async #revoke({ actor: one, target: other, keepChildren }: Command & { kind: 'revoke' }): Promise<void> {
    const [actor, target] = [this.#at(one), this.#at(other)];
    const made = this.#entries.filter((entry) => this.#ancestors(entry).includes(target) && this.#isLive(entry));
    const isDone = await this.credentials.revoke(this.#senderOf(actor), target.granted, keepChildren);
    const { scopes } = actor.granted;
    const isWithin = (some: readonly string[]): boolean => has(scopes, 'credentials:admin') || covers(scopes, some);
    const ended = [target, ...(keepChildren ? [] : made)];
    const isAllowed =
      this.#works(actor) &&
      has(scopes, 'credentials:delete') &&
      (actor === target || isWithin(target.granted.scopes)) &&
      (!keepChildren || (has(scopes, 'credentials:write') && made.every(({ granted }) => isWithin(granted.scopes)))) &&
      !this.#losesWriter((entry) => this.#works(entry) && !ended.includes(entry));
    this.#expect(isAllowed === isDone, `revocation: ${String(isDone)}, not ${String(isAllowed)}`);
    if (!isDone) return;
    this.accepted += 1;
    for (const entry of ended) entry.isRevoked = true;
  }

  async #activate({ recruiter, isActive }: Command & { kind: 'activate' }): Promise<void> {
    const id = this.#recruiter(recruiter);
    const after = new Set(this.#inactive);
    if (isActive) after.delete(id);
    else after.add(id);
    const isAllowed = isActive || !this.#losesWriter((entry) => this.#works(entry, after));
    const isDone = await this.credentials.setActive(id, isActive);
    this.#expect(isAllowed === isDone, `activation: ${String(isDone)}, not ${String(isAllowed)}`);
    if (!isDone) return;
    this.accepted += 1;
    if (isActive) this.#inactive.delete(id);
    else this.#inactive.add(id);
  }

  #losesWriter(worksAfter: (entry: Entry) => boolean): boolean {
    if (this.credentials.hasOtherWriters) return false;
    const writers = this.#entries.filter(
      (entry) => has(entry.granted.scopes, 'credentials:write') && this.#works(entry),
    );
    const lasting = writers.filter(({ msLeft }) => msLeft === null || msLeft > LASTING_MS);
    return [writers, lasting].some((some) => some.length > 0 && !some.some(worksAfter));
  }

  async #compareAll(command: string): Promise<void> {
    const cases = this.#entries.flatMap((entry) =>
      ADDRESSES.map((address) => ({ entry, sender: { credential: entry.granted, address } })),
    );
    const accepted = await this.credentials.accepts(cases.map(({ sender }) => sender));
    cases.forEach(({ entry, sender: { address } }, position) => {
      const expected = this.#works(entry) && admits(entry.granted.allowedCidrs, address);
      this.#expect(
        accepted[position] === expected,
        `${entry.granted.id} at ${address}: ${String(accepted[position])}, not ${String(expected)} after ${command}`,
      );
    });
  }

  #expect(holds: boolean, violation: string): void {
    if (!holds) this.violations.push(violation);
  }
}
