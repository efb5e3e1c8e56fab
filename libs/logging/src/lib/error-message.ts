/** Classes of SQLSTATE that speak of connections, locks and the server: those of all others quote values. */
const SPEAKS_OF_SERVER = /^(08|25|28|3D|40|53|55|57|58)/;

/** Of libraries whose messages quote what they were given: statements, parameters, bodies, replies to commands. */
const QUOTING = /^(SyntaxError|URIError|ZodError|\$ZodError|ReplyError|QueryFailedError|Entity\w+Error|TypeORMError)$/;

/** What the language says of a fault of the program. Other forms name the value that was at hand. */
const OF_PROGRAM = [
  /^Cannot (read|set) properties of (undefined|null)( \((reading|setting) '[A-Za-z_$][\w$]{0,40}'\))?$/,
  /^[A-Za-z_$][\w$.]{0,80} is not (a function|a constructor|defined|iterable)$/,
  /^(fetch failed|terminated|Invalid URL|Invalid time value|Invalid array length|Invalid string length|Maximum call stack size exceeded)$/,
];

/** Of our own errors: those of Node and of other libraries are in capitals, and their messages quote. */
const OWN_CODE = /^[a-z][a-z_]*$/;

const LONGEST = 300;

/**
 * What of an error's message may be logged; undefined when nothing is sure to be free of what somebody has sent. A foreign
 * error with a code speaks by that, and by where it was thrown.
 */
export function loggableMessage({
  type,
  code,
  message,
  isOfPostgres,
}: {
  readonly type: string;
  readonly code: unknown;
  readonly message: string;
  readonly isOfPostgres: boolean;
}): string | undefined {
  if (isOfPostgres) return SPEAKS_OF_SERVER.test(String(code)) ? message : undefined;
  if (isForeign(code) || QUOTING.test(type) || message === '') return undefined;
  if (/^(Type|Range|Reference|Eval)Error$/.test(type))
    return OF_PROGRAM.some((form) => form.test(message)) ? message : undefined;
  return withoutQuotes(message.split('\n', 1)[0] ?? '').slice(0, LONGEST);
}

const isForeign = (code: unknown): boolean => code !== undefined && !(typeof code === 'string' && OWN_CODE.test(code));

/** Texts in quotes or angle brackets, addresses of e-mail, user names of URLs, query strings, and what is long enough to be a key. */
const withoutQuotes = (message: string): string =>
  message
    .replace(/"[^"]*("|$)|“[^”]*(”|$)|`[^`]*(`|$)|(?<!\w)'[^']*('|$)|<[^>]*(>|$)/g, '…')
    .replace(/\S*@\S*/g, '…')
    .replace(/\?\w\S*/g, '?…')
    .replace(/[\w+/=-]{40,}/g, '…');
