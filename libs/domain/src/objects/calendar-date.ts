/** The calendar date `YYYY-MM-DD` of a moment in an IANA time zone. */
export function calendarDate(moment: Date, timeZone: string): string {
  return formatterOf(timeZone).format(moment);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making one costs a hundred times more than using it. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  // Swedish writes dates as ISO does.
  const formatter = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  formatters.set(timeZone, formatter);
  return formatter;
}
