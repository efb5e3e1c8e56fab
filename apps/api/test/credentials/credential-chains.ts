import { ADDRESSES, admits, type Command, covers, has, lieInside } from './credential-commands.js';

/** A new credential, as the answer to its creation shows it. */
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

/** The credentials under test. Each method returns null or false when the API refuses the request. */
export interface Credentials {
  readonly recruiterIds: readonly number[];
  /**
   * True when a credential that does not belong to the sequence can write credentials. The last such credential is then
   * never one of the sequence.
   */
  readonly hasOtherWriters: boolean;
  create(maker: Sender, request: CreateRequest): Promise<Granted | null>;
  revoke(actor: Sender, target: Granted, keepChildren: boolean): Promise<boolean>;
  setActive(recruiterId: number, isActive: boolean): Promise<boolean>;
  /** Lets this number of hours pass: moves the expiry of every credential nearer. */
  pass(hours: number): Promise<void>;
  /** Sends one request as each sender. Returns true for each accepted request, in the order of the senders. */
  accepts(senders: readonly Sender[]): Promise<readonly boolean[]>;
}

export interface Sender {
  readonly credential: Granted;
  readonly address: string;
}

const HOUR_MS = 3_600_000;
/**
 * Lifetime in ms above which a credential counts as lasting. It is one hour less than seven days, because a sequence
 * takes some time.
 */
const LASTING_MS = 7 * 24 * HOUR_MS;

interface Entry {
  readonly granted: Granted;
  readonly maker: Entry | null;
  msLeft: number | null;
  isRevoked: boolean;
}

/**
 * Runs operations. After each, expects that a credential is accepted exactly when its chain of makers allows it. The
 * rules come from the documentation. No code is shared with the service.
 */
export class Chains {
  /**
   * The time at which the sequence starts. A sequence takes no time of its own: only the command `pass` lets hours
   * pass.
   */
  readonly #start = Date.now();
  readonly #entries: Entry[];
  readonly #inactive = new Set<number>();
  /** The violations of the rules that were found. */
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
    // A refused operation is not compared. If it changed anything, the comparison after the next operation finds this.
    if (this.accepted === before) return;
    await this.#compareAll(JSON.stringify(command));
  }

  #msLeftOf = ({ expiresDt }: Granted): number | null => expiresDt && expiresDt.getTime() - this.#start;

  #at(position: number): Entry {
    const entry = this.#entries[position % this.#entries.length];
    if (!entry) throw new Error('the model has no credential left to choose');
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

  /** Checks that no credential has a right that one of its makers lacked. */
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
