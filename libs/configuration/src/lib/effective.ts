import { type DescribedProcess } from './process.js';
import { type RawEnvironment } from './read-environment.js';
import { whenNotSet } from './catalogue.js';

/** One variable, with the value that a process uses. */
export interface Effective {
  /** The name of the variable. */
  readonly name: string;
  /**
   * The text of the value, masked when the variable is secret. When the variable is not set and has no default, this is
   * the text of `whenAbsent`, or null for a required variable.
   */
  readonly text: string | null;
  /** The source of the value: the environment or the default. `absent` when there is no value. */
  readonly from: 'environment' | 'default' | 'absent';
}

/**
 * Maps the name of each variable to the text that a log shows: the value that the process uses, or `not set:` and the
 * effect. Null for a missing required variable.
 */
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
 * Returns the values that a process would use in the given environment. Secrets, and credentials in URLs, are masked.
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
