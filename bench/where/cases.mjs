/**
 * Conditions that `search` and `where` can both express. Each has several values, sent in turn, so that no cached answer
 * helps. `{}` stands for the value. Both sides must return the same items.
 */
const STATES = ['submitted', 'rejected', 'in_review', 'withdrawn'];
const NAMES = ['son', 'er', 'ez', 'll', 'sen', 'zz'];
const TITLES = ['engineer', 'manager', 'nurse', 'analyst', 'support', 'sales', 'legal'];
const NUMBERS = ['1', '2', '3', '4', '5'];
const STATE = 'application.main_process_state.state.state';

/**
 * @param {{ dates: string[], sources: string[], ids: string[], opportunities: string[] }} found  values of the database
 * @returns {{ title: string, search: string[], where: string, values: string[], sort?: string }[]}
 */
export const comparedCases = ({ dates, sources, ids, opportunities }) => [
  { title: 'state', search: [`${STATE}={}`], where: `${STATE} == "{}"`, values: STATES },
  { title: 'not a state', search: [`${STATE}!={}`], where: `${STATE} != "{}"`, values: STATES },
  {
    title: 'last name contains',
    search: ['application.user.lastname=~{}'],
    where: 'application.user.lastname =~ "{}"',
    values: NAMES,
  },
  {
    title: 'last name does not contain',
    search: ['application.user.lastname!~{}'],
    where: 'application.user.lastname !~ "{}"',
    values: NAMES,
  },
  {
    title: 'state and last name, newest first',
    search: [`${STATE}=submitted`, 'application.user.lastname=~{}'],
    where: `${STATE} == "submitted" AND application.user.lastname =~ "{}"`,
    values: NAMES,
    sort: 'application.created_dt!desc',
  },
  {
    title: 'word of the title',
    search: ['application.vacancy.title=~{}'],
    where: 'application.vacancy.title =~ "{}"',
    values: TITLES,
  },
  {
    title: 'word of the title and date',
    search: ['application.vacancy.title=~engineer', 'application.submitted_dt>={}T00:00:00Z'],
    where: 'application.vacancy.title =~ "engineer" AND application.submitted_dt >= DATE("{}T00:00:00Z")',
    values: dates,
  },
  {
    title: 'created since',
    search: ['application.created_dt>={}T00:00:00Z'],
    where: 'application.created_dt >= DATE("{}T00:00:00Z")',
    values: dates,
  },
  {
    title: 'created before',
    search: ['application.created_dt<{}T00:00:00Z'],
    where: 'application.created_dt < DATE("{}T00:00:00Z")',
    values: dates,
  },
  {
    title: 'created since, newest first',
    search: ['application.created_dt>={}T00:00:00Z'],
    where: 'application.created_dt >= DATE("{}T00:00:00Z")',
    values: dates,
    sort: 'application.created_dt!desc',
  },
  { title: 'source', search: ['application.source={}'], where: 'application.source == "{}"', values: sources },
  {
    title: 'source contains',
    search: ['application.source=~{}'],
    where: 'application.source =~ "{}"',
    values: ['work', 'uni', 'ref', 'career'],
  },
  {
    title: 'one of two sources',
    search: ['application.source={{},referral}'],
    where: 'application.source IN ("{}", "referral")',
    values: sources,
  },
  { title: 'rating from', search: ['application.rating>={}'], where: 'application.rating >= {}', values: NUMBERS },
  { title: 'rating', search: ['application.rating={}'], where: 'application.rating == {}', values: NUMBERS },
  {
    title: 'no rating, score above',
    search: ['application.rating=', 'application.score>{}'],
    where: 'application.rating == NULL AND application.score > {}',
    values: NUMBERS,
  },
  { title: 'id', search: ['application.id={}'], where: 'application.id == {}', values: ids },
  {
    title: 'opportunity',
    search: ['application.opportunity.id={}'],
    where: 'application.opportunity.id == {}',
    values: opportunities,
  },
  {
    title: 'first name',
    search: ['application.user.firstname={}'],
    where: 'application.user.firstname == "{}"',
    values: ['Anna', 'Olga', 'Ben', 'Nobody'],
  },
  {
    title: 'pending since',
    search: ['application.outcome=pending', 'application.created_dt>={}T00:00:00Z'],
    where: 'application.outcome == "pending" AND application.created_dt >= DATE("{}T00:00:00Z")',
    values: dates,
  },
];

const IS_STATE = (state) => `EXISTS (SELECT FROM states s WHERE s.id = a.state_id AND s.state = '${state}')`;
const HAS_NAME = (text) => `EXISTS (SELECT FROM users u WHERE u.id = a.user_id AND u.lastname_folded LIKE '%${text}%')`;

/**
 * Expressions with OR and NOT, and the same conditions as SQL over `applications a`, as a person would write it.
 * @returns {{ title: string, where: string, sql: string }[]}
 */
export const disjunctions = ({ dates: [date], sources: [source] }) => [
  {
    title: 'two states',
    where: `${STATE} == "rejected" OR ${STATE} == "withdrawn"`,
    sql: `${IS_STATE('rejected')} OR ${IS_STATE('withdrawn')}`,
  },
  { title: 'not a state', where: `NOT (${STATE} == "submitted")`, sql: `NOT ${IS_STATE('submitted')}` },
  {
    title: 'rating or source',
    where: `application.rating >= 5 OR application.source == "${source}"`,
    sql: `a.rating >= 5 OR a.source = '${source}'`,
  },
  {
    title: 'not (rating and source)',
    where: `NOT (application.rating >= 3 AND application.source == "${source}")`,
    sql: `(a.rating >= 3 AND a.source = '${source}') IS NOT TRUE`,
  },
  {
    title: 'rare name or rating',
    where: 'application.user.lastname =~ "zzyzx" OR application.rating > 5',
    sql: `${HAS_NAME('zzyzx')} OR a.rating > 5`,
  },
  {
    title: 'state and (name or rating)',
    where: `${STATE} == "submitted" AND (application.user.lastname =~ "son" OR application.rating == 5)`,
    sql: `${IS_STATE('submitted')} AND (${HAS_NAME('son')} OR a.rating = 5)`,
  },
  { title: 'no name', where: 'NOT (application.user.lastname =~ "son")', sql: `NOT ${HAS_NAME('son')}` },
  {
    title: 'recent or rated',
    where: `application.created_dt >= DATE("${date}T00:00:00Z") OR application.rating == 5`,
    sql: `a.created_dt >= '${date}T00:00:00Z' OR a.rating = 5`,
  },
];
