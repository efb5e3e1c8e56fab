import { type Adaptation, toAdaptation } from './adaptation.js';
import { type VersionChange, type VersionDeclaration } from './declaration.js';
import { type EndpointPattern, parseEndpoint } from './endpoint.js';
import { violationsOf, VersionDeclarationError } from './violations.js';
import { compareVersions } from './order.js';

/**
 * A served version: the changes that convert its requests to the newest version and the answers back, and its flags.
 */
interface Served<Flag extends string, Operation, Settings> {
  /** The changes of all newer versions, oldest first. */
  readonly above: readonly Touching<Flag, Operation, Settings>[];
  readonly compatibilityFlags: ReadonlySet<Flag>;
  /** The adaptations by endpoint. The map has at most one entry for each route and method of the application. */
  readonly adaptations: Map<string, Adaptation<Settings> | null>;
}

interface Touching<Flag extends string, Operation, Settings> {
  readonly patterns: readonly EndpointPattern[];
  readonly change: VersionChange<Flag, Operation, Settings>;
}

/** The served minor versions. The list adapts requests and answers of the older versions. */
export class VersionList<Flag extends string = string, Operation = unknown, Settings = unknown> {
  /** The declarations of the served versions, oldest first. */
  readonly declarations: readonly VersionDeclaration<Flag, Operation, Settings>[];
  /** The version numbers, oldest first. */
  readonly versions: readonly string[];
  /** The version that handlers implement. */
  readonly newest: string;
  /** The newest stable version, which applies to requests that name no version. */
  readonly default: string;
  readonly #served: ReadonlyMap<string, Served<Flag, Operation, Settings>>;

  /**
   * Checks the declarations of the versions.
   * @param declarations  in any order
   * @throws {VersionDeclarationError} with all errors in the declarations
   */
  constructor(declarations: readonly VersionDeclaration<Flag, Operation, Settings>[]) {
    this.declarations = [...declarations].sort((a, b) => compareVersions(a.version, b.version));
    const violations = violationsOf(this.declarations);
    if (violations.length > 0) throw new VersionDeclarationError(violations);
    this.versions = this.declarations.map(({ version }) => version);
    this.newest = this.versions.at(-1) ?? '';
    this.default = this.declarations.findLast(({ status }) => status === 'stable')?.version ?? '';
    this.#served = new Map(
      this.declarations.map(({ version }, index) => [version, serve(this.declarations.slice(index + 1))]),
    );
  }

  /** True when the text is exactly a served version: `1.7`, but neither `1.07` nor ` 1.7`. */
  has(version: string): boolean {
    return this.#served.has(version);
  }

  /**
   * Returns the compatibility flags that are set for requests of a version.
   * @throws {RangeError} when the version is not served
   */
  compatibilityFlagsAt(version: string): ReadonlySet<Flag> {
    return this.#at(version).compatibilityFlags;
  }

  /**
   * Returns the adaptation of an endpoint for a version, or undefined when none is needed. The newest version never
   * needs one.
   * @param endpoint  its path must be the pattern of the route, because the result is cached for each endpoint
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

  /** Converts the description of an operation in the API reference from the newest version to `version`. */
  operationAt(version: string, endpoint: Endpoint, newest: Operation): Operation {
    return touching(this.#at(version).above, endpoint).reduceRight(
      (operation, change) => change.operation?.(operation) ?? operation,
      newest,
    );
  }

  #at(version: string): Served<Flag, Operation, Settings> {
    const served = this.#served.get(version);
    if (!served) throw new RangeError(`expected one of ${this.versions.join(', ')}, found ${JSON.stringify(version)}`);
    return served;
  }
}

/** One of the application's endpoints. */
export interface Endpoint {
  /** The HTTP method, in capital letters. */
  readonly method: string;
  /** The template of the path. */
  readonly path: string;
}

function serve<Flag extends string, Operation, Settings>(
  newer: readonly VersionDeclaration<Flag, Operation, Settings>[],
): Served<Flag, Operation, Settings> {
  const changes = newer.flatMap((declaration) => declaration.changes);
  return {
    above: changes.map((change) => ({
      change,
      patterns: change.endpoints.flatMap((endpoint) => parseEndpoint(endpoint) ?? []),
    })),
    compatibilityFlags: new Set(changes.flatMap(({ compatibilityFlag }) => compatibilityFlag ?? [])),
    adaptations: new Map(),
  };
}

const touching = <Flag extends string, Operation, Settings>(
  changes: readonly Touching<Flag, Operation, Settings>[],
  { method, path }: Endpoint,
): readonly VersionChange<Flag, Operation, Settings>[] =>
  changes.filter(({ patterns }) => patterns.some((matches) => matches(method, path))).map(({ change }) => change);
