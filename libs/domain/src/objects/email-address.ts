import { z } from 'zod';

/** An address as browsers accept it in a form (WHATWG), at most 254 characters (RFC 5321 4.5.3.1.3). */
export const emailAddress = z.email({ pattern: z.regexes.html5Email }).max(254);
