/**
 * Returns the calendar date `YYYY-MM-DD` of a moment in a time zone.
 * @param timeZone  IANA name
 */
export function calendarDate(moment: Date, timeZone: string): string {
  return formatterOf(timeZone).format(moment);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns a cached formatter, because making one costs a hundred times more than using it. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  // Swedish dates have the format of ISO 8601.
  const formatter = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  formatters.set(timeZone, formatter);
  return formatter;
}
