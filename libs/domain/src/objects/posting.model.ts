import { message } from '@ats/message';
import { boolean, date, id, richText, text } from '../vocabulary/attribute.js';
import { type MemoryContext, type ObjectData } from '../vocabulary/attribute-options.js';
import { identity, urlIn } from '../vocabulary/identity.js';
import { objectType } from '../vocabulary/object-type.js';
import { embedded, toOne } from '../vocabulary/relation.js';
import { calendarDate } from './calendar-date.js';
import { resource } from '../vocabulary/resource.js';
import { eventsOf } from '../vocabulary/event-declaration.js';

export const POSTING_METHODS = ['hosted', 'feed', 'api', 'email', 'manual'] as const;
const POSTING_STATUSES = ['scheduled', 'live', 'expired', 'withdrawn'] as const;

const statusSql = (alias: string): string =>
  `CASE WHEN ${alias}.is_withdrawn THEN 'withdrawn'
    WHEN ${alias}.opening_date > system_today() THEN 'scheduled'
    WHEN ${alias}.closing_date < system_today() THEN 'expired'
    ELSE 'live' END`;

function statusOf(
  { is_withdrawn, opening_date, closing_date }: ObjectData,
  { now, timeZone }: MemoryContext,
): (typeof POSTING_STATUSES)[number] {
  const today = calendarDate(now, timeZone);
  if (is_withdrawn === true) return 'withdrawn';
  if (typeof opening_date === 'string' && opening_date > today) return 'scheduled';
  return typeof closing_date === 'string' && closing_date < today ? 'expired' : 'live';
}

export const posting = objectType({
  name: 'posting',
  table: 'postings',
  scopes: ['postings'],
  properties: {
    ...identity(urlIn('postings')),
    title: text({ shown: true, write: 'optional', description: 'Defaults to the title of the vacancy.' }),
    description: richText({ shown: true, nullable: true, write: 'optional' }),
    status: text({
      shown: true,
      description:
        'The status follows from `is_withdrawn` and the two dates. A posting is also `live` on `opening_date` and ' +
        '`closing_date` themselves, in the time zone of the system. Candidates can apply through a live posting only ' +
        'while its vacancy is open, see `accepts_applications`.',
      values: POSTING_STATUSES,
      computed: { sql: statusSql, memory: statusOf },
    }),
    accepts_applications: boolean({
      shown: true,
      description:
        'True while candidates can apply: the posting is `live` and its vacancy is in the state `open`. A change of ' +
        'the vacancy or of the day changes this property without an event or an `updated_dt` of the posting.',
      computed: {
        readsOtherRows: true,
        sql: (alias) =>
          `(${statusSql(alias)}) = 'live' AND EXISTS (SELECT FROM opportunities advertised
            JOIN states advertised_state ON advertised_state.id = advertised.state_id
            WHERE advertised.id = ${alias}.vacancy_id AND advertised_state.state = 'open')`,
        memory: (object, context) =>
          statusOf(object, context) === 'live' &&
          (object['vacancy'] as { readonly state?: { readonly state?: unknown } } | undefined)?.state?.state === 'open',
      },
    }),
    is_withdrawn: boolean({
      shown: true,
      write: 'optional',
      description: 'Withdraws the posting, regardless of its dates.',
    }),
    opening_date: date({
      shown: true,
      write: 'optional',
      description: 'The first day on which the posting is live. Defaults to today.',
    }),
    closing_date: date({
      shown: true,
      nullable: true,
      write: 'optional',
      description: 'The last day on which the posting is live.',
    }),
    job_board: toOne('job_board', { shows: ['id', 'url'], write: 'required' }),
    vacancy: toOne('vacancy', { shows: ['id', 'url'], write: 'required' }),
    location: text({
      content: 'fact',
      nullable: true,
      write: 'optional',
      shownAt: ['posting_loc_meth', 'post_loc_vac', 'location'],
    }),
    method: text({
      values: POSTING_METHODS,
      write: 'optional',
      shownAt: ['posting_loc_meth', 'method'],
      description: 'The way in which the posting reaches the job board.',
    }),
    posting_loc_meth: embedded('posting_loc_meth', {
      description:
        'The way in which the posting reaches the job board, and the location, vacancy and job board of the posting.',
      shows: {
        id: 'posting_loc_meth.id',
        method: 'posting_loc_meth.method',
        'post_loc_vac/id': 'posting_loc_meth.post_loc_vac.id',
        'post_loc_vac/location': 'posting_loc_meth.post_loc_vac.location',
        'post_loc_vac/vacancy/id': 'posting_loc_meth.post_loc_vac.vacancy.id',
        'post_loc_vac/job_board/id': 'posting_loc_meth.post_loc_vac.job_board.id',
      },
    }),
  },
  privateColumns: { known_status: { type: 'text' } },
});

/** The way in which a posting gets to its job board. It is stored in the posting's row and has the posting's id. */
export const postingMethod = objectType({
  name: 'posting_loc_meth',
  label: 'method',
  properties: {
    id: id(),
    method: text({ values: POSTING_METHODS }),
    post_loc_vac: embedded('post_loc_vac'),
  },
});

/** The location and the job board of a posting. It is stored in the posting's row and has the posting's id. */
export const postingPlace = objectType({
  name: 'post_loc_vac',
  label: 'location',
  properties: {
    id: id(),
    location: text({ nullable: true, content: 'fact' }),
    vacancy: toOne('vacancy'),
    job_board: toOne('job_board'),
  },
});

export const postings = resource({
  name: 'postings',
  type: posting,
  describe: {
    group: 'Recruitment',
    title: 'Postings',
    text: 'A vacancy published on a job board between two dates.',
  },
});

export const postingEvents = eventsOf(
  'posting',
  {
    POSTING_CREATE: { on: 'create', text: message`A posting was created.` },
    POSTING_UPDATE: { on: 'update', text: message`Properties of a posting changed, such as its closing date.` },
    POSTING_DELETE: { on: 'delete', text: message`A posting was deleted.` },
  },
  { isWhole: true },
);
