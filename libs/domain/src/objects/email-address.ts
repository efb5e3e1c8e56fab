import { z } from 'zod';

/**
 * Matches the e-mail addresses of HTML forms (WHATWG) whose domain has at least two labels. The service cannot reach an
 * address such as `a@b`, which names a host of a local network.
 */
const WITH_DOTTED_DOMAIN = new RegExp(z.regexes.html5Email.source.replace(/\*\$$/, '+$'));

/** The schema of an e-mail address of at most 254 characters (RFC 5321, 4.5.3.1.3). */
export const emailAddress = z.email({ pattern: WITH_DOTTED_DOMAIN }).max(254);
