/** The status of a version. Clients should rely on `stable` versions only. The newest stable version is the default. */
export type VersionStatus = 'stable' | 'preview';

/**
 * One minor version: what clients must know about it, and how clients of older versions are served.
 * @typeParam Flag  names of the compatibility flags that handlers check
 * @typeParam Operation  the application's description of an operation in its API reference
 * @typeParam Settings   values that the application knows when it sends an answer, such as its base URL
 */
export interface VersionDeclaration<Flag extends string = string, Operation = unknown, Settings = unknown> {
  /** `<major>.<minor>`, such as `1.10`, which follows `1.9`. */
  readonly version: string;
  /** The day of the release, `YYYY-MM-DD`. */
  readonly date: string;
  /** Says whether the version is stable or may still change. */
  readonly status: VersionStatus;
  /** A line of Markdown that tells clients what has changed. */
  readonly changelog: string;
  /**
   * The changes that a client of the previous version must make, as one line of Markdown. Absent when there are none.
   */
  readonly upgrade?: string;
  /** The changes since the previous version. Empty for the oldest version. */
  readonly changes: readonly VersionChange<Flag, Operation, Settings>[];
}

/**
 * One change since the previous version. It names the affected endpoints, and converts requests and answers for clients
 * of the previous version.
 */
export interface VersionChange<Flag extends string = string, Operation = unknown, Settings = unknown> {
  /**
   * The endpoints that the change affects. Each text is a method and a path, with `*` for any text: `POST /api/v1/*` or
   * `* *`. See `parseEndpoint`.
   */
  readonly endpoints: readonly string[];
  /** Converts a request of the previous version to this version. */
  readonly request?: RequestUp;
  /** Converts an answer of this version to the previous version. */
  readonly response?: ResponseDown<Settings>;
  /**
   * Name of a compatibility flag. It is needed when the answer of the previous version cannot be made from the new
   * answer. A handler that checks the flag gives the previous answer itself.
   */
  readonly compatibilityFlag?: Flag;
  /** Converts the description of an operation in the API reference to the previous version. */
  readonly operation?: (operation: Operation) => Operation;
}

/** Converts requests of the previous version to this version. */
export interface RequestUp {
  /** The media type of the body in the previous version, when it differs from that of this version. */
  readonly media?: BodyMedia;
  /** Converts a parsed body. It may be any JSON value, because the handler validates it later. */
  readonly body?: (body: unknown) => unknown;
}

/** A media type of request bodies, and the function that reads such bodies. */
export interface BodyMedia {
  /** Lower-case media type without parameters: `multipart/form-data`. */
  readonly type: string;
  /**
   * Converts a body to the value that the same data would have as parsed JSON.
   * @param contentType  the header, with its parameters
   */
  readonly read: (bytes: Uint8Array, contentType: string) => Promise<unknown>;
}

/** Converts answers for clients of the previous version. */
export interface ResponseDown<Settings = unknown> {
  /** Converts the JSON text of a successful answer. */
  readonly body?: (json: string, settings: Settings) => string;
  /**
   * True when `body` reads and writes ASCII characters only, and copies all others. It may then get the bytes of the
   * answer decoded as Latin-1 instead of UTF-8, which takes a fraction of the time for a long answer.
   */
  readonly isBodyAscii?: true;
  /** Converts the JSON text of an error answer. It runs before `violationPath`. */
  readonly errorBody?: (json: string, settings: Settings) => string;
  /** Converts the JSON pointer of a violation in the request body. */
  readonly violationPath?: (pointer: string) => string;
  /** Converts header values of any answer. The keys are header names in lower case. */
  readonly headers?: Readonly<Record<string, (value: string, settings: Settings) => string>>;
}
