import { RE2JS, RE2JSSyntaxException } from 're2js';

/**
 * What is wrong with a pattern; undefined when nothing is. The syntax is RE2's, whose time is linear in the text: a pattern of
 * a client can never hold up the service.
 */
export function patternFault(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return `expected a regular expression in the syntax of RE2: ${error instanceof RE2JSSyntaxException ? error.message : 'it is too large'}`;
  }
}

/** Whether the whole text matches. */
export const matchesPattern = (pattern: string, text: string): boolean => RE2JS.compile(pattern).matcher(text).matches();
