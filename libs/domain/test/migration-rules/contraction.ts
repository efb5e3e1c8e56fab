/**
 * What a migration says of itself, as `contraction`, when it takes away or forbids something that an earlier release had: a test
 * (migration-rules.db-spec.ts) accepts that in no other one.
 * Source: docs/adr/0022-expand-and-contract.md
 */
export interface Contraction {
  /** The release whose code stopped needing it: the release before, or an older one. */
  readonly unneededSince: string;
  readonly because: string;
}
