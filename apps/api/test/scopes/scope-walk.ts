import { type Answer } from '../support/answer.js';
import { type Api } from '../support/api-harness.js';
import { type Factories } from '../support/factories.js';
import { inParallel } from '../support/in-parallel.js';
import { isLong } from '../support/long-part.js';
import { isPublic, type Operation } from '../support/openapi-document.js';
import { type AllowedReaders, type Readers } from './allowed-readers.js';
import { type CanaryWorld } from './canary-world.js';
import { canariesShown, requestsOf, sendAs, shownIn, type WalkRequest } from './walk-requests.js';

/** A request of the walk, and the scopes that the description of its operation names. */
interface Step {
  readonly request: WalkRequest;
  readonly named: readonly string[];
}

export interface Service {
  readonly operations: readonly Operation[];
  /** Maps a scope to the scopes that it includes. */
  readonly includes: ReadonlyMap<string, readonly string[]>;
}

/**
 * The selection of requests that a walk sends. By default, it sends each request whose operation names a scope of the
 * credential.
 */
export interface Selection {
  /** Share of the requests described above that the walk sends, from 0 to 1. Defaults to 1. */
  readonly namedShare?: number;
  /** Share of all other requests that the walk also sends, from 0 to 1. */
  readonly refusedShare?: number;
  /** Sends only requests whose operation names this scope. */
  readonly naming?: string;
}

export interface Walk {
  /** Answers that show a value without its scopes, and answers with a status from 500 on. */
  readonly violations: readonly string[];
  /** All canaries and secrets that answers have shown. */
  readonly seen: ReadonlySet<string>;
}

const AT_ONCE = 4;

/**
 * A scope walk: sends the requests of all operations with a credential, and looks for canaries in the answers that the
 * scopes of the credential do not show.
 */
export class ScopeWalk {
  readonly #steps: readonly Step[];

  constructor(
    private readonly api: Api,
    private readonly make: Factories,
    private readonly world: CanaryWorld,
    private readonly service: Service,
  ) {
    this.#steps = service.operations
      .filter((operation) => !isPublic(operation) && (isLong || !isOtherName(operation)))
      .flatMap((operation) => {
        const named = Array.from((operation.description ?? '').matchAll(SCOPE_NAME), ([, scope = '']) => scope);
        return requestsOf(operation, world).map((request) => ({ request, named }));
      });
  }

  /**
   * Sends the selected requests with one credential.
   * @param readers  who may read the canaries
   */
  async with(
    scopes: readonly string[],
    { byCanary }: Pick<AllowedReaders, 'byCanary'>,
    { namedShare = 1, refusedShare = 0, naming }: Selection = {},
  ): Promise<Walk> {
    const token = await this.make.token(...scopes);
    const granted = new Set(scopes.flatMap((scope) => [scope, ...(this.service.includes.get(scope) ?? [])]));
    const [isSent, isRefused] = [sampleFor(scopes, namedShare), sampleFor(scopes, refusedShare)];
    const isNamed = (named: readonly string[]): boolean =>
      naming === undefined ? named.some((scope) => granted.has(scope)) : named.includes(naming);
    const steps = this.#steps.filter(({ named }, index) =>
      isNamed(named) ? isSent(index) : naming === undefined && isRefused(index),
    );
    const violations: string[] = [];
    const seen = new Set<string>();
    await inParallel(steps, AT_ONCE, async ({ request }) => {
      const answer = await sendAs(this.api, token, request);
      const name = `${scopes.join(' ')}: ${request.method} ${request.address}`;
      if (answer.status >= 500) violations.push(`${name}: ${answer.status}`);
      for (const [value, readers] of this.#valuesIn(request, answer, byCanary)) {
        seen.add(value);
        if (!readers.some((set) => set.every((scope) => granted.has(scope))))
          violations.push(`${name}: ${answer.status} shows ${value}, which needs ${textOf(readers)}`);
      }
    });
    return { violations, seen };
  }

  /** Returns the canaries and secrets in an answer, with their readers. Later writes of the walk may add canaries. */
  #valuesIn(
    request: WalkRequest,
    answer: Answer,
    byCanary: AllowedReaders['byCanary'],
  ): readonly (readonly [string, Readers])[] {
    const shown = shownIn(answer);
    const secrets = [...this.world.secrets].filter(([secret]) => shown.includes(secret));
    const canaries = canariesShown(request, answer).flatMap((canary) => {
      const readers = byCanary.get(canary);
      return readers ? [[canary, readers] as const] : [];
    });
    return [...secrets, ...canaries];
  }
}

/** True for an operation under an older name of its path. The same handler serves it. */
const isOtherName = ({ aliasOf }: Operation): boolean => aliasOf !== undefined;

const SCOPE_NAME = /`([a-z_*]+:[a-z]+)`/g;

const textOf = (readers: Readers): string =>
  readers.length === 0 ? 'a scope that does not exist' : readers.map((set) => set.join(' and ')).join(', or ');

/** Returns a function that selects a share of the requests. The same scopes always select the same requests. */
function sampleFor(scopes: readonly string[], share: number): (index: number) => boolean {
  if (share === 0) return () => false;
  const every = Math.round(1 / share);
  const first = [...scopes.join()].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % every, 0);
  return (index) => index % every === first;
}
