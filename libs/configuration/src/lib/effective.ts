import { type DescribedProcess } from './process.js';
import { type RawEnvironment } from './read-environment.js';
import { whenNotSet } from './catalogue.js';

/** The value of one variable that is in force. */
export interface Effective {
  /** The name of the variable. */
  readonly name: string;
  /**
   * The text of the value, masked when the variable is secret. When the variable is not set and has no default, this is
   * the text of `whenAbsent`, or null for a required variable.
   */
  readonly text: string | null;
  /** Where the value comes from. */
  readonly from: 'environment' | 'default' | 'absent';
}

/** Returns the values in force by name, for a log. `not set:` precedes the description of an absent variable. */
export const textsInForce = (
  process: DescribedProcess,
  environment: RawEnvironment,
): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    effectiveTexts(process, environment).map(({ name, text, from }) => [
      name,
      from === 'absent' && text !== null ? `not set: ${text.replaceAll('`', '')}` : text,
    ]),
  );

const MASK = '********';
const PASSWORD_IN_URL = /(?<=:\/\/)[^/?#\s]*(?=@)/g;

/**
 * Returns the values with which a process would work in this environment. Secrets, and credentials in URLs, are masked.
 */
export const effectiveTexts = ({ variables }: DescribedProcess, environment: RawEnvironment): readonly Effective[] =>
  Object.entries(variables).map(([name, declared]) => {
    const given = environment[name];
    if (given)
      return { name, text: declared.isSecret ? MASK : given.replace(PASSWORD_IN_URL, MASK), from: 'environment' };
    const notSet = whenNotSet(declared);
    return notSet.kind === 'required'
      ? { name, text: null, from: 'absent' }
      : { name, text: notSet.text, from: notSet.kind };
  });
