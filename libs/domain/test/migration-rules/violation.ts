/** A rule that a statement violates. */
export interface Violation {
  /**
   * `contracts`: the previous release does not run on the new schema. `locks`: requests wait for more than a moment.
   * `unknown`: no rule allows the statement.
   */
  readonly kind: 'contracts' | 'locks' | 'unknown';
  readonly because: string;
}
