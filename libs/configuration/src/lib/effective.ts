import { type DescribedProcess } from './process.js';
import { type RawEnvironment } from './read-environment.js';
import { whenNotSet } from './catalogue.js';

/** What is in force for one variable. */
export interface Effective {
  readonly name: string;
  /** The text, masked where it is secret; of what is absent the words for it, null when it is required. */
  readonly text: string | null;
  readonly from: 'environment' | 'default' | 'absent';
}

/** The same for a log, by name: of what is not set the words for what holds then, so that nobody takes them for a value. */
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

/** What a process would work with in this environment. Secrets are masked, and so is what stands before the host of a URL. */
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
