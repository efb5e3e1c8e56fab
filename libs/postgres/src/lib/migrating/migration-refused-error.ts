/** The error for migrations that cannot run now. Its message tells the operator why. */
export class MigrationRefusedError extends Error {
  override readonly name = 'MigrationRefusedError';
}
