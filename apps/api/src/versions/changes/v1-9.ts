import { type JsonSchema } from '@ats/domain';
import { type ApiVersionDeclaration } from '../api-version.js';
import { describeHtmlScalars, withHtmlScalars } from '../html-scalars.js';

export const version: ApiVersionDeclaration = {
  version: '1.9',
  date: '2025-10-20',
  status: 'preview',
  changelog:
    'Communications of an application: only those related to it, no longer all of its candidate. With `rich_txt_fmt=html`, only string values are converted.',
  upgrade:
    'Read the other communications of a candidate from `/communications`; expect numbers and booleans as JSON has them.',
  changes: [
    {
      endpoints: ['GET */comms'],
      behaviour: 'candidate_comms',
      operation: (operation) => ({
        ...operation,
        description:
          'All those of its candidate: about it, about other applications of either kind, or about one that is deleted.',
      }),
    },
    {
      endpoints: ['GET */schemas/*'],
      response: { body: (json) => JSON.stringify(withHtmlScalars(JSON.parse(json) as JsonSchema)) },
      operation: (operation) => ({
        ...operation,
        description: `${operation.description ?? ''}\n\nThe values of \`layout_data\` can be texts always.`.trim(),
      }),
    },
    // All of them, for the parts of an answer are shared by operations that do not take the parameter.
    { endpoints: ['* *'], behaviour: 'html_scalars', operation: describeHtmlScalars },
  ],
};
