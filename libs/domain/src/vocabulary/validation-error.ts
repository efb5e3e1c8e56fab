import { type Message, message } from '@ats/message';

/** One fault of a request body, as SPEC.md 2.5 shows it. */
export interface ValidationFault {
  /** JSON pointer to the property, `""` for the body or the resource as a whole. */
  readonly path: string;
  /** `missing`, `invalid`, `already_exists` (SPEC.md 7) or one of the resource's own. */
  readonly code: string;
  readonly info?: Message;
}

/** As many faults are told. Whoever judges may stop beyond: no request makes megabytes of them. */
export const MAX_FAULTS = 1_000;

/**
 * The body, or the state of what it is about, does not allow the write. All faults of the request together; of more than
 * `MAX_FAULTS` the first, and one that says how many more there are.
 */
export class ValidationError extends Error {
  readonly faults: readonly ValidationFault[];

  constructor(
    /** Name of the collection, as in `/schemas`. */
    readonly resource: string,
    faults: readonly ValidationFault[],
  ) {
    const told = bounded(faults);
    super(`${resource}: ${told.map(({ path, code }) => `${code} at "${path}"`).join(', ')}`);
    this.name = 'ValidationError';
    this.faults = told;
  }
}

function bounded(faults: readonly ValidationFault[]): readonly ValidationFault[] {
  const more = faults.length - MAX_FAULTS;
  if (more <= 0) return faults;
  return [
    ...faults.slice(0, MAX_FAULTS),
    {
      path: '',
      code: 'invalid',
      info: message`there are more faults, at least ${more}: mend those that are listed first`,
    },
  ];
}

/** There is no such item, or not in this collection. */
export class NotFoundError extends Error {
  /** For a request whose body names it. */
  readonly info: Message;

  constructor(
    readonly resource: string,
    readonly id: number,
  ) {
    const info = message`there is no ${resource} ${id}`;
    super(String(info));
    this.name = 'NotFoundError';
    this.info = info;
  }
}
