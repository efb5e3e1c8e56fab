/** What a rule has against a statement. */
export interface Fault {
  /** `contracts`: the release before does not run on it. `locks`: requests stop for longer than a moment. `unknown`: no rule allows it. */
  readonly kind: 'contracts' | 'locks' | 'unknown';
  readonly because: string;
}
