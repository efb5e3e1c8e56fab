import { type Adaptation, toAdaptation } from './adaptation.js';
import { type VersionChange, type VersionDeclaration } from './declaration.js';
import { type EndpointPattern, parseEndpoint } from './endpoint.js';
import { faultsOf, VersionDeclarationError } from './faults.js';
import { compareVersions } from './order.js';

/** The changes that serve one version. */
interface Served<Behaviour extends string, Operation, Settings> {
  /** The changes of all newer versions, oldest first. */
  readonly above: readonly Touching<Behaviour, Operation, Settings>[];
  readonly behaviours: ReadonlySet<Behaviour>;
  /** Cached for each endpoint: there are as many as the application has routes. */
  readonly adaptations: Map<string, Adaptation<Settings> | null>;
}

interface Touching<Behaviour extends string, Operation, Settings> {
  readonly patterns: readonly EndpointPattern[];
  readonly change: VersionChange<Behaviour, Operation, Settings>;
}

/** The served minor versions and the adaptations of requests and answers for older ones. */
export class VersionList<Behaviour extends string = string, Operation = unknown, Settings = unknown> {
  /** Oldest first. */
  readonly declarations: readonly VersionDeclaration<Behaviour, Operation, Settings>[];
  /** The version numbers, oldest first. */
  readonly versions: readonly string[];
  /** The version that handlers implement. */
  readonly newest: string;
  /** The newest stable version, for requests that state none. */
  readonly default: string;
  readonly #served: ReadonlyMap<string, Served<Behaviour, Operation, Settings>>;

  /**
   * @param declarations  in any order
   * @throws {VersionDeclarationError} with everything that is wrong with them
   */
  constructor(declarations: readonly VersionDeclaration<Behaviour, Operation, Settings>[]) {
    this.declarations = [...declarations].sort((a, b) => compareVersions(a.version, b.version));
    const faults = faultsOf(this.declarations);
    if (faults.length > 0) throw new VersionDeclarationError(faults);
    this.versions = this.declarations.map(({ version }) => version);
    this.newest = this.versions.at(-1) ?? '';
    this.default = this.declarations.findLast(({ status }) => status === 'stable')?.version ?? '';
    this.#served = new Map(
      this.declarations.map(({ version }, index) => [version, serve(this.declarations.slice(index + 1))]),
    );
  }

  /** True when the version is served and spelt exactly so: `1.07` and ` 1.7` are not. */
  has(version: string): boolean {
    return this.#served.has(version);
  }

  /** The older behaviours that apply in a version. @throws {RangeError} when the version is not served */
  behavioursAt(version: string): ReadonlySet<Behaviour> {
    return this.#at(version).behaviours;
  }

  /**
   * The adaptation of requests and answers. Undefined when there is none, as always for the newest version.
   * @param endpoint  with the route's pattern as its path, because the result is cached for each endpoint
   * @throws {RangeError} when the version is not served
   */
  adaptationAt(version: string, { method, path }: Endpoint): Adaptation<Settings> | undefined {
    const { above, adaptations } = this.#at(version);
    if (above.length === 0) return undefined;
    const key = `${method} ${path}`;
    const known = adaptations.get(key);
    if (known !== undefined) return known ?? undefined;
    const made = toAdaptation(touching(above, { method, path }));
    adaptations.set(key, made);
    return made ?? undefined;
  }

  /** Converts the reference's description of an operation from the newest version to a version. */
  operationAt(version: string, endpoint: Endpoint, newest: Operation): Operation {
    return touching(this.#at(version).above, endpoint).reduceRight(
      (operation, change) => change.operation?.(operation) ?? operation,
      newest,
    );
  }

  #at(version: string): Served<Behaviour, Operation, Settings> {
    const served = this.#served.get(version);
    if (!served) throw new RangeError(`expected one of ${this.versions.join(', ')}, found ${JSON.stringify(version)}`);
    return served;
  }
}

/** One of the application's endpoints. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
}

function serve<Behaviour extends string, Operation, Settings>(
  newer: readonly VersionDeclaration<Behaviour, Operation, Settings>[],
): Served<Behaviour, Operation, Settings> {
  const changes = newer.flatMap((declaration) => declaration.changes);
  return {
    above: changes.map((change) => ({
      change,
      patterns: change.endpoints.flatMap((endpoint) => parseEndpoint(endpoint) ?? []),
    })),
    behaviours: new Set(changes.flatMap(({ behaviour }) => behaviour ?? [])),
    adaptations: new Map(),
  };
}

const touching = <Behaviour extends string, Operation, Settings>(
  changes: readonly Touching<Behaviour, Operation, Settings>[],
  { method, path }: Endpoint,
): readonly VersionChange<Behaviour, Operation, Settings>[] =>
  changes.filter(({ patterns }) => patterns.some((matches) => matches(method, path))).map(({ change }) => change);
