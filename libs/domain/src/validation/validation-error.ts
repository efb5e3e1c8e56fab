/** One fault of a request body, as SPEC.md 2.5 shows it. */
export interface ValidationFault {
  /** JSON pointer to the property, `""` for the body or the resource as a whole. */
  readonly path: string;
  /** `missing`, `invalid`, `already_exists` (SPEC.md 7) or one of the resource's own. */
  readonly code: string;
  readonly info?: string;
}

/** The body, or the state of what it is about, does not allow the write. All faults of the request together. */
export class ValidationError extends Error {
  constructor(
    /** Name of the collection, as in `/schemas`. */
    readonly resource: string,
    readonly faults: readonly ValidationFault[],
  ) {
    super(`${resource}: ${faults.map(({ path, code }) => `${code} at "${path}"`).join(', ')}`);
    this.name = 'ValidationError';
  }
}

/** There is no such item, or not in this collection. */
export class NotFoundError extends Error {
  constructor(
    readonly resource: string,
    readonly id: number,
  ) {
    super(`there is no ${resource} ${id}`);
    this.name = 'NotFoundError';
  }
}
