import { type ReadSettings } from '@ats/domain';
import { type QueryParameter } from './operation.js';

/** Source: SPEC.md 4.1, CONTRACT.md 4. */
export const RICH_TEXT_PARAMETER: QueryParameter = {
  name: 'rich_txt_fmt',
  description: 'How rich texts read: `html` as sanitised HTML, without it as plain text. What is searched, filtered and sorted by is the plain text.',
  schema: { type: 'string', enum: ['html'] },
};

const QUOTED_CHARACTERS = 40;

/** What the parameter adds to the settings of a reading. @param refuse  told what is wrong with it */
export function readRichTextParameter(parameters: URLSearchParams, refuse: (info: string) => void): Pick<ReadSettings, 'richText'> {
  const [text, ...others] = parameters.getAll(RICH_TEXT_PARAMETER.name);
  if (text === undefined) return {};
  if (others.length > 0) refuse(`expected once, found ${others.length + 1} times`);
  else if (text !== 'html') refuse(`expected html, found ${JSON.stringify([...text].slice(0, QUOTED_CHARACTERS).join(''))}`);
  return { richText: 'html' };
}
