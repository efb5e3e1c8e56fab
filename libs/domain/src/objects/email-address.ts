import { z } from 'zod';

/** An e-mail address as HTML forms accept it (WHATWG), at most 254 characters (RFC 5321, 4.5.3.1.3). */
export const emailAddress = z.email({ pattern: z.regexes.html5Email }).max(254);
