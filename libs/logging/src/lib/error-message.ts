/** SQLSTATE classes about connections, locks and the server. Messages of all other classes quote values. */
const ABOUT_SERVER = /^(08|25|28|3D|40|53|55|57|58)/;

/** Error classes whose messages quote statements, parameters, bodies or replies. */
const QUOTING = /^(SyntaxError|URIError|ZodError|\$ZodError|ReplyError|QueryFailedError|Entity\w+Error|TypeORMError)$/;

/** Messages of JavaScript itself about mistakes in the program. Its other messages may quote a value. */
const ABOUT_PROGRAM = [
  /^Cannot (read|set) properties of (undefined|null)( \((reading|setting) '[A-Za-z_$][\w$]{0,40}'\))?$/,
  /^[A-Za-z_$][\w$.]{0,80} is not (a function|a constructor|defined|iterable)$/,
  /^(fetch failed|terminated|Maximum call stack size exceeded)$/,
  /^Invalid (URL|time value|array length|string length)$/,
];

/** Codes of our own errors. Codes of Node and of other libraries are in capitals, and their messages quote values. */
const OWN_CODE = /^[a-z][a-z_]*$/;

const LONGEST = 300;

/**
 * Returns the loggable part of an error's message, or undefined when every part may quote values. When an error of Node
 * or of another library has a code, its message is not logged: the code and the stack identify the error.
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
 * Replaces the parts of a message that may hold a secret or personal data: quoted text, text in angle brackets, e-mail
 * addresses, user names in URLs and query strings. A word of 40 or more characters is also replaced: it may be a key.
 */
const withoutQuotes = (message: string): string =>
  message
    .replace(/"[^"]*("|$)|“[^”]*(”|$)|`[^`]*(`|$)|(?<!\w)'[^']*('|$)|<[^>]*(>|$)/g, '…')
    .replace(/\S*@\S*/g, '…')
    .replace(/\?\w\S*/g, '?…')
    .replace(/[\w+/=-]{40,}/g, '…');
