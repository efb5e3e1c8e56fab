import { type Message, message } from '@ats/message';
import { RE2JS, RE2JSSyntaxException } from 're2js';

/** Maps the parser's descriptions of errors to messages. Source: RE2, `regexp/syntax`, and re2js. */
const VIOLATIONS: Readonly<Record<string, (part: string) => Message>> = {
  'invalid character class range': (part) => message`${part} is not a class or range of characters`,
  'invalid escape sequence': (part) => message`${part} is not an escape sequence`,
  'invalid named capture': (part) => message`${part} is not a valid or supported named group`,
  'invalid or unsupported Perl syntax': (part) => message`${part} is not supported`,
  'invalid nested repetition operator': (part) => message`${part} repeats a part that is already repeated`,
  'invalid repeat count': (part) => message`${part} is not a number of repetitions, or is too large`,
  'missing closing ]': (part) => message`${part} has no closing ${']'}`,
  'missing closing )': () => message`a closing ${')'} is missing`,
  'missing argument to repetition operator': (part) => message`there is nothing that ${part} could repeat`,
  'trailing backslash at end of expression': () => message`the pattern ends in a backslash`,
  'duplicate capture group name': (part) => message`two groups have the name ${part}`,
  'unexpected )': () => message`there is one closing ${')'} too many`,
  'expression nests too deeply': () => message`the pattern is nested too deeply`,
};

/**
 * Compiles a pattern.
 * @returns the compiled pattern, or the reason why it is invalid
 */
export function compilePattern(pattern: string): RE2JS | Message {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    // Any other error comes from the compiler, which refuses patterns that are too large.
    if (!(error instanceof RE2JSSyntaxException)) return message`the pattern is too large`;
    return VIOLATIONS[error.getDescription()]?.(error.getPattern() ?? pattern) ?? message`the pattern is too large`;
  }
}
