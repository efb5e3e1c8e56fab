import { type VersionChange, type VersionDeclaration } from './declaration.js';
import { parseEndpoint } from './endpoint.js';
import { isVersion } from './order.js';

/** The error for wrong declarations of versions, which the programmer must correct. */
export class VersionDeclarationError extends Error {
  constructor(readonly violations: readonly string[]) {
    super(`the versions cannot be served:\n${violations.map((violation) => `- ${violation}`).join('\n')}`);
    this.name = 'VersionDeclarationError';
  }
}

/** The part of a declaration that is checked. It does not depend on the type parameters. */
interface Declared extends Omit<VersionDeclaration, 'changes'> {
  readonly changes: readonly Pick<VersionChange, 'endpoints' | 'compatibilityFlag'>[];
}

/**
 * Returns the errors in the declarations as texts.
 * @param declarations  oldest first
 */
export function violationsOf(declarations: readonly Declared[]): readonly string[] {
  const [oldest] = declarations;
  return [
    ...declarations.flatMap((declaration) =>
      ownViolations(declaration).map((violation) => `${JSON.stringify(declaration.version)}: ${violation}`),
    ),
    ...declarations.slice(1).flatMap((declaration, index) => neighbourViolations(declarations[index], declaration)),
    ...repeatedFlags(declarations),
    ...(oldest && oldest.changes.length > 0
      ? [`${JSON.stringify(oldest.version)}: expected no changes, since no version is below the oldest one`]
      : []),
    ...(declarations.some(({ status }) => status === 'stable')
      ? []
      : ['expected at least one stable version, because the newest stable version is the default']),
  ];
}

function* ownViolationsOf({ version, date, status, changelog, upgrade, changes }: Declared): Iterable<string> {
  if (!isVersion(version)) yield 'expected a version such as "1.10"';
  if (!isDate(date)) yield `expected a date such as "2024-10-03", found ${JSON.stringify(date)}`;
  if (status !== 'stable' && status !== 'preview')
    yield `expected the status "stable" or "preview", found ${JSON.stringify(status)}`;
  if (!isLine(changelog)) yield `expected a changelog of one line, found ${JSON.stringify(changelog)}`;
  if (upgrade !== undefined && !isLine(upgrade))
    yield `expected an upgrade of one line, found ${JSON.stringify(upgrade)}`;
  for (const { endpoints, ...effects } of changes) {
    if (endpoints.length === 0) yield 'expected the endpoints that a change touches, found none';
    for (const endpoint of endpoints)
      if (!parseEndpoint(endpoint))
        yield `expected an endpoint such as "GET */history" or "* *", found ${JSON.stringify(endpoint)}`;
    if (!Object.values(effects).some((effect) => effect !== undefined))
      yield `expected the change of ${endpoints.join(', ')} to have an effect, such as a conversion of answers`;
  }
}

const ownViolations = (declaration: Declared): readonly string[] => [...ownViolationsOf(declaration)];

function neighbourViolations(older: Declared | undefined, { version, date }: Declared): readonly string[] {
  if (older?.version === version) return [`${JSON.stringify(version)} is declared twice`];
  return older && isDate(date) && date < older.date
    ? [`${JSON.stringify(version)}: expected a date from ${older.date} on, that of ${older.version}, found ${date}`]
    : [];
}

function repeatedFlags(declarations: readonly Declared[]): readonly string[] {
  const names = declarations.flatMap(({ changes }) =>
    changes.flatMap(({ compatibilityFlag }) => compatibilityFlag ?? []),
  );
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...repeated].map((name) => `the compatibility flag ${name} is declared twice`);
}

const isLine = (text: string): boolean => text.trim() !== '' && !text.includes('\n');

/** True for a date that exists. For example, 30 February does not. */
function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
