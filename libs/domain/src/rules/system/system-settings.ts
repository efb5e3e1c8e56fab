import { message } from '@ats/message';
import { runStatement, type Transaction } from '@ats/postgres';
import { defaultDomain, domainSchema, isFullyQualified, UNSET_DOMAIN } from '../../objects/system-domain.js';
import { systems } from '../../objects/system.model.js';
import { TIME_ZONE_EXPECTED, timeZoneSchema } from '../../objects/time-zone.js';
import { type ReadSettings } from '../../reading/representation-sql.js';
import { ValidationError, type Violation } from '../../vocabulary/validation-error.js';
import { addAuditEntry } from '../audit/audit-log.js';
import { replaceObject } from '../../writing/write-object.js';
import { type WriteBody } from '../../writing/write-schema.js';

/** Maps each setting to the value that the first migration inserts. */
const INITIAL = { name: 'Recruitment', timezone: 'UTC', default_language: 'en', environment: 'production' } as const;

/** Values for settings that nobody has chosen yet. */
export type FirstSettings = Partial<Readonly<Record<keyof typeof INITIAL, string>>>;

/**
 * Sets the settings that still have their initial value and that no client has ever changed. A second call therefore
 * changes nothing, and a client's change is never overwritten.
 * @returns the names of the settings that were set
 * @throws {UnknownTimeZoneError} when PostgreSQL does not know the time zone
 * Source: docs/reference/operations.md, "System settings".
 */
export async function applyFirstSettings(transaction: Transaction, given: FirstSettings): Promise<readonly string[]> {
  const { timezone } = given;
  if (timezone !== undefined && !(await isKnownTimeZone(transaction, timezone)))
    throw new UnknownTimeZoneError(timezone);
  const applied: string[] = [];
  for (const [name, initial] of Object.entries(INITIAL)) {
    const value = given[name as keyof typeof INITIAL];
    if (value === undefined || value === initial) continue;
    const rows = await runStatement(
      transaction,
      `UPDATE systems SET ${name} = $1, updated_dt = clock_timestamp()
       WHERE ${name} = $2 AND NOT $3 = ANY (changed_settings) RETURNING id`,
      [value, initial, name],
    );
    if (rows.length > 0) applied.push(name);
  }
  return applied;
}

/** The error for a time zone that PostgreSQL does not know, or knows only in another case, although Node knows it. */
export class UnknownTimeZoneError extends Error {
  constructor(readonly timeZone: string) {
    super(`SYSTEM_TIME_ZONE: PostgreSQL knows no time zone with exactly this name`);
    this.name = 'UnknownTimeZoneError';
  }
}

/**
 * Replaces the settings of the system, and stores the names of the settings that differ from before, so that
 * {@link applyFirstSettings} never overwrites them.
 * @returns the names of the settings that differ from before
 * @throws {NotFoundError} when there is no such system
 * @throws {ValidationError} with the violations of {@link systemViolations}
 */
export async function replaceSystem(
  transaction: Transaction,
  { id, body }: { readonly id: number; readonly body: WriteBody },
  settings: ReadSettings,
): Promise<readonly string[]> {
  const violations = await systemViolations(transaction, body, settings);
  if (violations.length > 0) throw new ValidationError(systems.name, violations);
  const { domain } = body;
  // The default domain is stored as unset, so that it follows later changes of PUBLIC_BASE_URL.
  const stored = domain === undefined || domain === defaultDomain(settings.baseUrl) ? UNSET_DOMAIN : domain;
  const { changes } = await replaceObject(transaction, systems, { id, body, extra: { domain: stored } }, settings);
  if (changes.length === 0) return [];
  const changed = changes.map(({ path }) => path.slice(1));
  await addAuditEntry(transaction, { action: 'settings_changed', collection: systems.name, itemIds: [id], changed });
  // An announcement of an anonymisation that was made under an earlier rule no longer counts, so that every candidate
  // gets a full notice period.
  if (changed.includes('candidate_retention_days') || changed.includes('retention_notice_days'))
    await runStatement(transaction, 'UPDATE systems SET retention_since_dt = clock_timestamp() WHERE id = $1', [id]);
  await runStatement(
    transaction,
    `UPDATE systems SET changed_settings = ARRAY(SELECT DISTINCT unnest(changed_settings || $2::text[])) WHERE id = $1`,
    [id, changed],
  );
  return changed;
}

/** Finds the violations that depend on the database or on `PUBLIC_BASE_URL`. Skips values that violate the schema. */
export async function systemViolations(
  transaction: Transaction,
  { domain, timezone }: WriteBody,
  { baseUrl }: ReadSettings,
): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  const name = domainSchema.safeParse(domain);
  if (name.success && name.data !== defaultDomain(baseUrl) && !isFullyQualified(name.data))
    violations.push({
      path: '/domain',
      code: 'invalid',
      info: message`expected a fully qualified domain name, such as ${'jobs.example.com'}`,
    });
  const zone = timeZoneSchema.safeParse(timezone);
  if (zone.success && !(await isKnownTimeZone(transaction, zone.data)))
    violations.push({ path: '/timezone', code: 'invalid', info: TIME_ZONE_EXPECTED });
  return violations;
}

/** True when PostgreSQL knows a time zone with exactly this name. Statements would fail with any other name. */
async function isKnownTimeZone(transaction: Transaction, name: string): Promise<boolean> {
  const rows = await runStatement(transaction, 'SELECT 1 FROM pg_timezone_names WHERE name = $1', [name]);
  return rows.length > 0;
}
