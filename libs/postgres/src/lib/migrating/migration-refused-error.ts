/** Migrations cannot run now. The message tells the operator why. */
export class MigrationRefusedError extends Error {
  override readonly name = 'MigrationRefusedError';
}
