/**
 * A field of a resource. In `FIELDS` it is written as pointer, type and marks. Types: i integer, n number, s text, b
 * boolean, d date, dt timestamp, `[s]` list of texts. Marks: `?` means that the field may be null, and `*` that the
 * free-text filter searches it.
 */
export interface ContractField {
  /** JSON pointer without its first slash. `*` stands for each element of a list. */
  readonly pointer: string;
  readonly type: 'i' | 'n' | 's' | 'b' | 'd' | 'dt' | 's[]' | 'any';
  readonly isNullable: boolean;
  readonly isFilterable: boolean;
}

const COMMON = 'id i, uuid s, url s, created_dt dt, updated_dt dt';
const REFERENCE = (name: string): string => `${name}/id i, ${name}/url s`;
const STATE = (name: string): string =>
  `${name}/state s, ${name}/state_id i, ${name}/name s, ${name}/phase s, ${name}/entered_dt dt, ${name}/id i,
  ${name}/is_terminal b`;

const APPLICATION = `${COMMON}, app_type s, reference s*, opportunity_id i, ${REFERENCE('opportunity')},
  opportunity/kind s, opportunity/title s*, ${REFERENCE('user')}, user/firstname s*, user/lastname s*, user/email s*,
  ${REFERENCE('candidate')}, ${REFERENCE('posting')}, ${STATE('process_state')}, outcome s, source s?*, score n?,
  tags [s]*, rating i?, submitted_dt dt?, hired_dt dt?, rejected_dt dt?, withdrawn_dt dt?,
  ${REFERENCE('copied_from')}`;

const OPPORTUNITY = `${COMMON}, kind s, reference s*, title s*, ${STATE('state')}, description s?*, location s?*,
  department s?*, ${REFERENCE('owner')}, opening_date d?, closing_date d?*, tags [s]*, ${REFERENCE('system')},
  application_count i, process/id i, process/name s, scoring_rules/*/expression s*, scoring_rules/*/points n`;

/**
 * The fields that each resource promises to clients. The list is written by hand and does not come from the models, so
 * that it can test them.
 */
const FIELDS: Readonly<Record<string, string>> = {
  applications: APPLICATION,
  event_applications: APPLICATION,
  candidates: `${COMMON}, firstname s*, lastname s*, email s*, status s, title s?, preferred_name s?*,
    date_of_birth d?, Email/*/Label s, Email/*/Address s*, Address/*/Label s, Address/*/AddressLine any*,
    Address/*/City any*, Address/*/Region any, Address/*/PostalCode any*, Address/*/CountryCode any, Phone/*/Label s,
    Phone/*/Number s*, Url/*/Label s, Url/*/Address s, current_employer s?*, current_title s?*, tags [s]*, source s?`,
  users: `${COMMON}, firstname s*, lastname s*, email s*, type s, status s, language any, ${REFERENCE('candidate')},
    ${REFERENCE('recruiter')}`,
  recruiters: `${COMMON}, firstname s*, lastname s*, email s*, job_title s?*, is_active b, ${REFERENCE('user')}`,
  vacancies: `${OPPORTUNITY}, employment_type s?, openings i, salary_min n?, salary_max n?, salary_currency s?`,
  events: `${OPPORTUNITY}, start_dt dt, end_dt dt, venue s?*, capacity i?`,
  postings: `${COMMON}, title s*, description s?*, status s, opening_date d, closing_date d?*, is_withdrawn b,
    accepts_applications b, ${REFERENCE('job_board')}, ${REFERENCE('vacancy')}, posting_loc_meth/id i,
    posting_loc_meth/method s, posting_loc_meth/post_loc_vac/id i, posting_loc_meth/post_loc_vac/location any,
    posting_loc_meth/post_loc_vac/vacancy/id i, posting_loc_meth/post_loc_vac/job_board/id i`,
  job_boards: `${COMMON}, name s*, code s*, is_internal b, is_active b, base_url s?`,
  communications: `${COMMON}, type s, direction s, status s, subject s?*, body s*, to [s],
    ${REFERENCE('application')}, ${REFERENCE('candidate')}, ${REFERENCE('user')}, ${REFERENCE('template')},
    sent_dt dt?`,
  message_templates: `${COMMON}, name s*, type s, subject s, body s`,
  layouts: `${COMMON}, name s*, resource s, columns/*/position i, columns/*/title s, columns/*/datapath s,
    columns/*/type s`,
  forms: `${COMMON}, name s*, resource s, on_apply s, sections/*/id i, sections/*/name s*, sections/*/repeatable b`,
  systems: `${COMMON}, name s*, domain s, environment s, languages [s], default_language s, timezone s,
    api_versions/*/version s, api_versions/*/date d, api_versions/*/status s`,
  saved_searches: `${COMMON}, name s*, resource s, search [s], filter s?, where s?, sort [s], ${REFERENCE('owner')},
    is_shared b`,
  config_searches: `${COMMON}, name s*, resource s, search [s], filter s?, where s?, sort [s]`,
  selections: `${COMMON}, name s*, resource s, member_count i`,
  credentials: `${COMMON}, name s, scopes [s], api_version any, language any, expires_dt dt?, last_used_dt dt?,
    ${REFERENCE('recruiter')}, revoked_dt dt?, allowed_cidrs [s], ${REFERENCE('created_by')}`,
};

/** Maps a resource to its objects that may be null. */
export const NULLABLE_OBJECTS: Readonly<Record<string, readonly string[]>> = {
  applications: ['posting', 'copied_from'],
  event_applications: ['posting', 'copied_from'],
  communications: ['application', 'template'],
  users: ['candidate', 'recruiter'],
  vacancies: ['owner'],
  events: ['owner'],
  credentials: ['created_by'],
};

export const CONTRACT_FIELDS: readonly (readonly [resource: string, fields: readonly ContractField[]])[] =
  Object.entries(FIELDS).map(([resource, text]) => [
    resource,
    text.split(',').map((entry): ContractField => {
      const [, pointer = '', type = '', isNullable = '', isFilterable = ''] =
        /^(\S+) (\S+?)(\??)(\*?)$/.exec(entry.trim()) ?? [];
      if (pointer === '') throw new Error(`this entry of the resource tables does not name a field: ${entry}`);
      return {
        pointer,
        type: (type === '[s]' ? 's[]' : type) as ContractField['type'],
        isNullable: isNullable !== '',
        isFilterable: isFilterable !== '',
      };
    }),
  ]);
