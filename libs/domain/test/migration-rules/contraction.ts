/**
 * The `contraction` property of a migration that removes or forbids something that an earlier release had. A test
 * (migration-rules.db-spec.ts) rejects such changes in migrations without it.
 * Source: docs/adr/0022-expand-and-contract.md
 */
export interface Contraction {
  /**
   * The first release whose code does not need the removed or forbidden thing. It must be the previous release or an
   * older release.
   */
  readonly unneededSince: string;
  readonly because: string;
}
