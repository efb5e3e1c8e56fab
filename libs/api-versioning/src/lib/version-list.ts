import { type Adaptation, toAdaptation } from './adaptation.js';
import { type VersionChange, type VersionDeclaration } from './declaration.js';
import { type EndpointPattern, parseEndpoint } from './endpoint.js';
import { faultsOf, VersionDeclarationError } from './faults.js';
import { compareVersions } from './order.js';

/** What serves one version. */
interface Served<Behaviour extends string, Operation, Settings> {
  /** All changes of the versions above, oldest first. */
  readonly above: readonly Touching<Behaviour, Operation, Settings>[];
  readonly behaviours: ReadonlySet<Behaviour>;
  /** Found once for each endpoint: there are as many as the application has routes. */
  readonly adaptations: Map<string, Adaptation<Settings> | null>;
}

interface Touching<Behaviour extends string, Operation, Settings> {
  readonly patterns: readonly EndpointPattern[];
  readonly change: VersionChange<Behaviour, Operation, Settings>;
}

/** The minor versions that are served, and what each request and answer of an older one has to go through. */
export class VersionList<Behaviour extends string = string, Operation = unknown, Settings = unknown> {
  /** Oldest first. */
  readonly declarations: readonly VersionDeclaration<Behaviour, Operation, Settings>[];
  /** Their names, oldest first. */
  readonly versions: readonly string[];
  /** What handlers speak. */
  readonly newest: string;
  /** The newest that is stable: for who asks for none. */
  readonly default: string;
  readonly #served: ReadonlyMap<string, Served<Behaviour, Operation, Settings>>;

  /**
   * @param declarations  in any order
   * @throws {VersionDeclarationError} with all that is wrong with them
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

  /** Whether it is served; `1.07` and ` 1.7` are not. */
  has(version: string): boolean {
    return this.#served.has(version);
  }

  /** The older behaviours in force. @throws {RangeError} when the version is not served, as all that follows */
  behavioursAt(version: string): ReadonlySet<Behaviour> {
    return this.#at(version).behaviours;
  }

  /**
   * What requests and answers have to go through; undefined when that is nothing, as always for the newest version.
   * @param endpoint  the route's own pattern as the path: what is found is kept for each
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

  /** How the reference describes an operation in a version, made from how it does in the newest one. */
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
