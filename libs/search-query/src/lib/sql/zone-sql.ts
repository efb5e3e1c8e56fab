/*
 * Calendar arithmetic in a time zone, with the same results as `TimeZone` of `@ats/datapath`. For a local time that
 * occurs twice, `AT TIME ZONE` of PostgreSQL takes the later moment. The SQL here takes the earlier one, as expressions
 * do.
 */

const offset = (moment: string, zone: string): string =>
  `((${moment} AT TIME ZONE ${zone}) - (${moment} AT TIME ZONE 'UTC'))`;

/**
 * Makes SQL that converts local time to a moment. The subselect computes the local time only once: with `OFFSET 0`,
 * PostgreSQL does not merge it into the outer query, where the expression would occur several times.
 */
export function toMomentSql(local: string, zone: string): string {
  const early = `((l.local AT TIME ZONE 'UTC') - ${offset(`((l.local - interval '1 day') AT TIME ZONE 'UTC')`, zone)})`;
  const chosen = `CASE WHEN ${early} AT TIME ZONE ${zone} = l.local THEN ${early} ELSE l.local AT TIME ZONE ${zone} END`;
  return `(SELECT ${chosen} FROM (SELECT ${local} AS local OFFSET 0) l)`;
}

/** Makes SQL for the first moment of a day. */
export const startOfDaySql = (day: string, zone: string): string => toMomentSql(`(${day})::timestamp`, zone);

/** Makes SQL for the calendar date of a moment. A subselect computes the moment only once. */
export function dayOfSql(moment: string, zone: string): string {
  const date = `(m.moment AT TIME ZONE ${zone})::date`;
  const next = startOfDaySql(`${date} + 1`, zone);
  return `(SELECT CASE WHEN ${next} <= m.moment THEN ${date} + 1 ELSE ${date} END FROM (SELECT ${moment} AS moment OFFSET 0) m)`;
}

/** Makes SQL that adds calendar days to a moment and keeps the time of day. */
export const addDaysSql = (moment: string, days: string, zone: string): string =>
  toMomentSql(`(${moment}) AT TIME ZONE ${zone} + ${days} * interval '1 day'`, zone);
