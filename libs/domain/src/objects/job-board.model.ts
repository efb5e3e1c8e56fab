import { message } from '@ats/message';
import { boolean, text } from '../vocabulary/attribute.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { resource } from '../vocabulary/resource.js';
import { eventsOf } from '../vocabulary/event-declaration.js';

export const jobBoard = objectType({
  name: 'job_board',
  table: 'job_boards',
  isSmall: true,
  scopes: ['job_boards'],
  errorCodes: { in_use: 'the job board has postings and cannot be deleted' },
  properties: {
    ...identity(urlIn('job_boards')),
    name: text({ shown: true, write: 'required' }),
    code: text({
      shown: true,
      content: 'key',
      write: 'required',
      description: 'A code that is unique among job boards.',
    }),
    is_internal: boolean({ shown: true, write: 'optional' }),
    is_active: boolean({ shown: true, write: 'optional' }),
    is_public: boolean({
      shown: true,
      write: 'optional',
      description:
        'True when everyone may read the open postings of the board and apply to them without a credential, below ' +
        '`/public/v1/boards/<code>`. The board must also be active.',
    }),
    base_url: text({ shown: true, content: 'key', nullable: true, write: 'optional', maxLength: 2_000 }),
  },
  uniques: { uq_job_boards_code: '/code' },
});

export const jobBoards = resource({
  name: 'job_boards',
  type: jobBoard,
  usedBy: [
    { resource: 'postings', table: 'postings', column: 'job_board_id', info: message`the job board has postings` },
  ],
  describe: {
    group: 'Recruitment',
    title: 'Job boards',
    text: 'Websites and other media that publish vacancies.',
    example: { name: 'Careers page', code: 'careers', base_url: 'https://careers.example.com' },
  },
});

export const jobBoardEvents = eventsOf('job_board', {
  JOB_BOARD_CREATE: { on: 'create', text: message`A job board was created.` },
  JOB_BOARD_UPDATE: { on: 'update', text: message`Properties of a job board changed.` },
  JOB_BOARD_DELETE: { on: 'delete', text: message`A job board was deleted.` },
});
