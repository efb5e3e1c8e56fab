import { type ApiVersionDeclaration } from '../api-version.js';

export const version: ApiVersionDeclaration = {
  version: '1.9',
  date: '2025-10-20',
  status: 'preview',
  changelog:
    'Communications of an application: only those related to it, no longer all of its candidate. With `rich_txt_fmt=html`, only string values are converted.',
  upgrade: 'Read the other communications of a candidate from `/communications`; expect numbers and booleans as JSON has them.',
  changes: [
    { endpoints: ['GET */comms'], behaviour: 'candidate_comms' },
    { endpoints: ['GET *'], behaviour: 'html_scalars' },
  ],
};
