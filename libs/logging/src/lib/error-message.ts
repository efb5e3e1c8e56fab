/** Matches SQLSTATE classes about connections, locks and the server. The messages of all other classes quote values. */
const ABOUT_SERVER = /^(08|25|28|3D|40|53|55|57|58)/;

/** Error classes whose messages quote statements, parameters, bodies or replies. */
const QUOTING = /^(SyntaxError|URIError|ZodError|\$ZodError|ReplyError|QueryFailedError|Entity\w+Error|TypeORMError)$/;

/** Matches messages of JavaScript about mistakes in the program. Other messages of JavaScript may quote a value. */
const ABOUT_PROGRAM = [
  /^Cannot (read|set) properties of (undefined|null)( \((reading|setting) '[A-Za-z_$][\w$]{0,40}'\))?$/,
  /^[A-Za-z_$][\w$.]{0,80} is not (a function|a constructor|defined|iterable)$/,
  /^(fetch failed|terminated|Maximum call stack size exceeded)$/,
  /^Invalid (URL|time value|array length|string length)$/,
];

/**
 * Matches the codes of this service's own errors. Node and other libraries have codes in capitals, and their messages
 * quote values.
 */
const OWN_CODE = /^[a-z][a-z_]*$/;

const LONGEST = 300;

/**
 * Returns the part of an error's message that may be logged, or undefined when every part may quote values. The message
 * of an error of Node or of another library is not logged when the error has a code: the code and the stack identify
 * it.
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
  if (isOfPostgres) return ABOUT_SERVER.test(String(code)) ? message : undefined;
  if (isForeign(code) || QUOTING.test(type) || message === '') return undefined;
  if (/^(Type|Range|Reference|Eval)Error$/.test(type))
    return ABOUT_PROGRAM.some((form) => form.test(message)) ? message : undefined;
  return withoutQuotes(message.split('\n', 1)[0] ?? '').slice(0, LONGEST);
}

const isForeign = (code: unknown): boolean => code !== undefined && !(typeof code === 'string' && OWN_CODE.test(code));

/**
 * Replaces the parts of a message that may be a secret or personal data: quoted text, text in angle brackets, e-mail
 * addresses, user names in URLs, and query strings. It also replaces words of 40 or more characters, because they may
 * be keys.
 */
const withoutQuotes = (message: string): string =>
  message
    .replace(/"[^"]*("|$)|“[^”]*(”|$)|`[^`]*(`|$)|(?<!\w)'[^']*('|$)|<[^>]*(>|$)/g, '…')
    .replace(/\S*@\S*/g, '…')
    .replace(/\?\w\S*/g, '?…')
    .replace(/[\w+/=-]{40,}/g, '…');
