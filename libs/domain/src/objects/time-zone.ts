import { message, packed } from '@ats/message';
import { cleanText } from '../vocabulary/value-schema.js';

/** True for an IANA name that this process knows. Case does not matter. An offset such as `+01:00` is not a name. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The text of the violation for a value that is not an IANA name. */
export const TIME_ZONE_EXPECTED = message`expected an IANA time zone, such as ${'Europe/Berlin'}`;

export const timeZoneSchema = cleanText(100).refine(isTimeZone, { error: packed(TIME_ZONE_EXPECTED) });
