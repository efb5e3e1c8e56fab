/**
 * Hand-written SQL that builds the representations of candidates and vacancies as JSON text, like
 * collections/limit-json.mjs. The alias of the candidate or the vacancy is `t`.
 */

const text = (column) => `to_json(${column})`;
const textOrNull = (column) => `coalesce(to_json(${column})::text, 'null')`;
const valueOrNull = (column) => `coalesce(${column}::text, 'null')`;
const moment = (column) => `to_char(${column}, '"\\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\\""')`;
const dateOrNull = (column) => `coalesce(to_char(${column}, '"\\""YYYY-MM-DD"\\""'), 'null')`;
const tags = `CASE WHEN t.tags = '{}' THEN '[]' ELSE array_to_json(t.tags)::text END`;
const list = (table, key, members) =>
  `(SELECT concat('[', string_agg(concat(${members}), ',' ORDER BY e.position), ']')
    FROM ${table} e WHERE e.${key} = t.id)`;
const head = (url) =>
  `'{"id":', t.id, ',"uuid":"', t.uuid, '","url":"${url}/', t.id,
  '","created_dt":', ${moment('t.created_dt')}, ',"updated_dt":', ${moment('t.updated_dt')}`;
const labelled = (name, column) => `'{"Label":"', e.label, '","${name}":', ${text(`e.${column}`)}, '}'`;
const address = ['AddressLine address_line', 'City city', 'Region region', 'PostalCode postal_code']
  .concat('CountryCode country_code')
  .map((pair) => pair.split(' '))
  .map(([name, column]) => `',"${name}":', ${textOrNull(`e.${column}`)}`)
  .join(', ');

const rule = `'{"expression":', ${text('e.expression')}, ',"points":', e.points, '}'`;

export const candidateJson = (api) => `concat(${head(`${api}/candidates`)},
  ',"firstname":', ${text('t.firstname')}, ',"lastname":', ${text('t.lastname')}, ',"email":', ${text('t.email')},
  ',"status":"', t.status, '","title":', ${textOrNull('t.title')},
  ',"preferred_name":', ${textOrNull('t.preferred_name')}, ',"date_of_birth":', ${dateOrNull('t.date_of_birth')},
  ',"Email":', ${list('candidate_emails', 'user_id', labelled('Address', 'address'))},
  ',"Address":', ${list('candidate_addresses', 'user_id', `'{"Label":"', e.label, '"', ${address}, '}'`)},
  ',"Phone":', ${list('candidate_phones', 'user_id', labelled('Number', 'number'))},
  ',"Url":', ${list('candidate_urls', 'user_id', labelled('Address', 'address'))},
  ',"current_employer":', ${textOrNull('t.current_employer')}, ',"current_title":', ${textOrNull('t.current_title')},
  ',"tags":', ${tags}, ',"source":', ${textOrNull('t.source')}, '}')`;

/**
 * Returns SQL that builds the JSON text of a vacancy. The statement must join the state of the vacancy as `s`, and the
 * process of its applications as `p`.
 */
export const vacancyJson = (api) => `concat(${head(`${api}/vacancies`)},
  ',"kind":"vacancy","reference":', ${text('t.reference')}, ',"title":', ${text('t.title')},
  ',"state":{"state":', ${text('s.state')}, ',"state_id":', s.id, ',"name":', to_json(s.name ->> 'en'),
  ',"phase":"', s.phase, '","entered_dt":', ${moment('t.state_entered_dt')}, ',"id":', s.id, ',"is_terminal":', s.is_terminal::text,
  '},"description":', ${textOrNull('t.description_plain')}, ',"location":', ${textOrNull('t.location')},
  ',"department":', ${textOrNull('t.department')},
  ',"owner":', CASE WHEN t.owner_id IS NULL THEN 'null'
    ELSE concat('{"id":', t.owner_id, ',"url":"${api}/recruiters/', t.owner_id, '"}') END,
  ',"opening_date":', ${dateOrNull('t.opening_date')}, ',"closing_date":', ${dateOrNull('t.closing_date')},
  ',"tags":', ${tags}, ',"system":{"id":', t.system_id, ',"url":"${api}/systems/', t.system_id,
  '"},"application_count":', (SELECT count(*) FROM applications a WHERE a.opportunity_id = t.id),
  ',"process":{"id":', p.id, ',"name":', to_json(p.name ->> 'en'),
  '},"scoring_rules":', ${list('scoring_rules', 'opportunity_id', rule)},
  ',"employment_type":', ${textOrNull('t.employment_type')}, ',"openings":', t.openings,
  ',"salary_min":', ${valueOrNull('t.salary_min')}, ',"salary_max":', ${valueOrNull('t.salary_max')},
  ',"salary_currency":', ${textOrNull('t.salary_currency')}, '}')`;
