/** Migrations cannot be run now, for a reason that an operator can do something about: the message says which. */
export class MigrationRefusedError extends Error {
  override readonly name = 'MigrationRefusedError';
}
