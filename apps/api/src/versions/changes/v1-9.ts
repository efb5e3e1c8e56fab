import { type JsonSchema } from '@ats/domain';
import { type ApiVersionDeclaration } from '../api-version.js';
import { describeHtmlScalars, withHtmlScalars } from '../html-scalars.js';

export const version: ApiVersionDeclaration = {
  version: '1.9',
  date: '2025-10-20',
  status: 'preview',
  changelog:
    '`GET …/comms` lists only the communications about the application, no longer all those of its candidate. ' +
    'With `rich_txt_fmt=html`, only strings are converted to HTML.',
  upgrade:
    'Read the other communications of a candidate from `/communications`. ' +
    'Expect numbers and booleans as JSON numbers and booleans.',
  changes: [
    {
      endpoints: ['GET */comms'],
      compatibilityFlag: 'candidate_comms',
      operation: (operation) => ({
        ...operation,
        description:
          'Lists all communications of the candidate: those about this application, about other applications of both ' +
          'kinds, and about deleted applications.',
      }),
    },
    {
      endpoints: ['GET */schemas/*'],
      response: { body: (json) => JSON.stringify(withHtmlScalars(JSON.parse(json) as JsonSchema)) },
      operation: (operation) => ({
        ...operation,
        description: `${operation.description ?? ''}\n\nEvery value of \`layout_data\` may be a string.`.trim(),
      }),
    },
    // Changes every operation. Operations without the parameter `rich_txt_fmt` are affected, too, because they share
    // schemas with operations that have it.
    { endpoints: ['* *'], compatibilityFlag: 'html_scalars', operation: describeHtmlScalars },
  ],
};
