import { z } from 'zod';

/**
 * The e-mail addresses of HTML forms (WHATWG), with one stricter rule: the domain has at least two labels. `a@b` names a
 * host of a local network, which the service cannot reach.
 */
const WITH_DOTTED_DOMAIN = new RegExp(z.regexes.html5Email.source.replace(/\*\$$/, '+$'));

/** An e-mail address of at most 254 characters (RFC 5321, 4.5.3.1.3). */
export const emailAddress = z.email({ pattern: WITH_DOTTED_DOMAIN }).max(254);
