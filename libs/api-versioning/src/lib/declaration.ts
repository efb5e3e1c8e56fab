/** Whether clients are told to rely on a version: the newest `stable` one is the default. */
export type VersionStatus = 'stable' | 'preview';

/**
 * One minor version: what its clients have to know, and how those of the versions below it are served.
 * @typeParam Behaviour  names of the older behaviours that handlers know of
 * @typeParam Operation  how the application describes an operation in its reference
 * @typeParam Settings   what the application knows when it sends an answer, such as its own address
 */
export interface VersionDeclaration<Behaviour extends string = string, Operation = unknown, Settings = unknown> {
  /** `<major>.<minor>`, such as `1.10`, which comes after `1.9`. */
  readonly version: string;
  /** The day it came out, `YYYY-MM-DD`. */
  readonly date: string;
  readonly status: VersionStatus;
  /** What changed, for clients: one line of Markdown. */
  readonly changelog: string;
  /** What a client of the version before has to do: one line of Markdown. Nothing, when it is absent. */
  readonly upgrade?: string;
  /** Nothing for the oldest version: there is none below it. */
  readonly changes: readonly VersionChange<Behaviour, Operation, Settings>[];
}

/** What has to be done for a client of the version before. All of it is about the same endpoints. */
export interface VersionChange<Behaviour extends string = string, Operation = unknown, Settings = unknown> {
  /** Method and path, either with `*` for anything: `POST /api/v1/*` or `* *`. See `parseEndpoint`. */
  readonly endpoints: readonly string[];
  /** Makes a request of the version before one of this version. */
  readonly request?: RequestUp;
  /** Makes an answer of this version one of the version before. */
  readonly response?: ResponseDown<Settings>;
  /** Where the old answer cannot be made from the new one, or what is done differs: the handler is told so by this name. */
  readonly behaviour?: Behaviour;
  /** How the reference describes an operation in the version before, made from how it does in this one. */
  readonly operation?: (operation: Operation) => Operation;
}

export interface RequestUp {
  /** What the body is written in in the version before, where that is something else than in this one. */
  readonly media?: BodyMedia;
  /** The body of a request that has one, parsed: anything at all that JSON can say. Faults are the handler's to find. */
  readonly body?: (body: unknown) => unknown;
}

export interface BodyMedia {
  /** Without parameters, in lower case: `multipart/form-data`. */
  readonly type: string;
  /** The body as JSON would have it. @param contentType  the header, with its parameters */
  readonly read: (bytes: Uint8Array, contentType: string) => Promise<unknown>;
}

export interface ResponseDown<Settings = unknown> {
  /** The JSON text of an answer that is no error. */
  readonly body?: (json: string, settings: Settings) => string;
  /** The JSON pointer of a fault in the request's body. */
  readonly faultPath?: (pointer: string) => string;
  /** Values of headers by their names in lower case, of any answer that has them. */
  readonly headers?: Readonly<Record<string, (value: string, settings: Settings) => string>>;
}
