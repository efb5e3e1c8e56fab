// @ts-check
import { NOW, timestamp } from './calendar.mjs';
import { FIRST_ID } from './ids.mjs';

/**
 * A rule of the demo data. `breaks` selects the rows that break it. `spoil` breaks it on purpose, which proves that
 * `breaks` finds such rows.
 * @typedef {{ says: string, breaks: string, spoil: string }} Rule
 */

/** Temporary tables for several rules: histories with the previous entry, and all objects with a state. */
export const preparation = `
  CREATE TEMPORARY TABLE steps AS
    SELECT h.*, lag(to_state_id) OVER same AS left_state_id, lag(date) OVER same AS left_date, row_number() OVER same AS step, lead(id) OVER same IS NULL AS is_last
    FROM history_entries h WHERE type IN ('created', 'state_change') AND subject_type IN ('application', 'opportunity')
    WINDOW same AS (PARTITION BY subject_type, subject_id ORDER BY id);
  CREATE TEMPORARY TABLE stateful AS
    SELECT 'application' AS subject_type, a.id, a.state_id, a.state_entered_dt, a.created_dt, a.updated_dt, NULL AS kind, o.process_id AS process_id
      FROM applications a JOIN opportunities o ON o.id = a.opportunity_id
    UNION ALL SELECT 'opportunity', id, state_id, state_entered_dt, created_dt, updated_dt, kind, (SELECT id FROM processes WHERE key = 'opportunity') FROM opportunities;
  ANALYZE steps, stateful;`;

/** @type {readonly Rule[]} */
const histories = [
  {
    says: 'a history begins with the creation, in the first state of its process',
    spoil: `UPDATE history_entries SET date = date + interval '1 second' WHERE type = 'created' AND subject_type = 'application' AND subject_id = 1500`,
    breaks: `SELECT t.id FROM stateful t LEFT JOIN steps h ON h.subject_type = t.subject_type AND h.subject_id = t.id AND h.step = 1
      LEFT JOIN states s ON s.id = h.to_state_id
      WHERE (h.type = 'created' AND h.from_state_id IS NULL AND h.date = t.created_dt AND s.is_initial AND s.process_id = t.process_id) IS NOT TRUE`,
  },
  {
    says: 'each change of state starts from the state of the previous entry and has a later date',
    spoil: `UPDATE history_entries SET from_state_id = 110 WHERE id = (SELECT min(id) FROM history_entries WHERE type = 'state_change' AND subject_type = 'application' AND from_state_id = 101)`,
    breaks: `SELECT id FROM steps h WHERE step > 1 AND (type = 'state_change' AND from_state_id = left_state_id AND date > left_date) IS NOT TRUE`,
  },
  {
    says: 'each change of state is an allowed move',
    spoil: `UPDATE history_entries SET to_state_id = 108 WHERE id = (SELECT min(id) FROM history_entries WHERE type = 'state_change' AND from_state_id = 101)`,
    breaks: `SELECT h.id FROM history_entries h JOIN stateful t ON t.subject_type = h.subject_type AND t.id = h.subject_id
      LEFT JOIN state_moves m ON m.from_state_id = h.from_state_id AND m.to_state_id = h.to_state_id AND (m.opportunity_kind IS NULL OR m.opportunity_kind = t.kind)
      WHERE h.type = 'state_change' AND m.from_state_id IS NULL`,
  },
  {
    says: 'the last state of a history is the current state, with the same date',
    spoil: `UPDATE applications SET state_entered_dt = state_entered_dt + interval '1 millisecond' WHERE id = 1500`,
    breaks: `SELECT t.id FROM stateful t LEFT JOIN steps h
      ON h.subject_type = t.subject_type AND h.subject_id = t.id AND h.is_last WHERE (h.to_state_id = t.state_id AND h.date = t.state_entered_dt) IS NOT TRUE`,
  },
  {
    says: 'each last update has a history entry with the same date',
    spoil: `UPDATE users SET updated_dt = updated_dt + interval '1 millisecond' WHERE id = 1100`,
    breaks: `SELECT t.id FROM (
        SELECT subject_type, id, updated_dt FROM stateful
        UNION ALL SELECT 'posting', id, updated_dt FROM postings UNION ALL SELECT 'candidate', id, updated_dt FROM users WHERE type = 'candidate') t
      LEFT JOIN (SELECT subject_type, subject_id, max(date) AS date FROM history_entries GROUP BY 1, 2) h ON h.subject_type = t.subject_type AND h.subject_id = t.id
      WHERE h.date IS DISTINCT FROM t.updated_dt`,
  },
  {
    says: 'ids of history entries grow with their dates',
    spoil: `UPDATE history_entries SET date = date + interval '90 days' WHERE id = 1100`,
    breaks:
      'SELECT id FROM (SELECT id, date < lag(date) OVER (ORDER BY id) AS is_earlier FROM history_entries) h WHERE is_earlier',
  },
];

/** @type {readonly Rule[]} */
const applications = [
  {
    says: 'outcome and liveness follow from the state',
    spoil: `UPDATE applications SET is_live = NOT is_live WHERE id = 1500 OR (id, is_live) = (1501, false)`,
    breaks:
      'SELECT a.id FROM applications a JOIN states s ON s.id = a.state_id WHERE (a.outcome, a.is_live) IS DISTINCT FROM (s.outcome, s.is_live)',
  },
  {
    says: 'hired_dt, rejected_dt and withdrawn_dt are set exactly for the outcomes hired, declined and withdrawn',
    spoil: `UPDATE applications SET rejected_dt = NULL WHERE outcome = 'declined'`,
    breaks: `SELECT id FROM applications WHERE hired_dt IS DISTINCT FROM CASE outcome WHEN 'hired' THEN state_entered_dt END
      OR rejected_dt IS DISTINCT FROM CASE outcome WHEN 'declined' THEN state_entered_dt END OR withdrawn_dt IS DISTINCT FROM CASE outcome WHEN 'withdrawn' THEN state_entered_dt END`,
  },
  {
    says: 'a candidate has at most one live application for each opportunity',
    spoil: `DROP INDEX uq_applications_live; UPDATE applications SET is_live = true, user_id = 1100, opportunity_id = 1020 WHERE id IN (1500, 1501)`,
    breaks: 'SELECT max(id) FROM applications WHERE is_live GROUP BY user_id, opportunity_id HAVING count(*) > 1',
  },
  {
    says: 'an application has the kind of its opportunity and is newer than its candidate',
    spoil: `UPDATE applications SET user_id = 1001 WHERE id = 1500`,
    breaks: `SELECT a.id FROM applications a JOIN opportunities o ON o.id = a.opportunity_id JOIN users u ON u.id = a.user_id
      WHERE a.app_type <> o.kind || '_application' OR u.type <> 'candidate' OR u.created_dt >= a.created_dt`,
  },
  {
    says: 'an application was created while its opportunity was open',
    spoil: `UPDATE applications SET created_dt = created_dt - interval '300 days' WHERE id = 1500`,
    breaks: `SELECT a.id FROM applications a WHERE (SELECT s.state FROM history_entries h JOIN states s ON s.id = h.to_state_id
      WHERE h.subject_type = 'opportunity' AND h.subject_id = a.opportunity_id AND h.date <= a.created_dt ORDER BY h.id DESC LIMIT 1) IS DISTINCT FROM 'open'`,
  },
  {
    says: 'the posting of an application belongs to its vacancy and was open on that day',
    spoil: `UPDATE applications SET posting_id = 1001 WHERE id = 3500`,
    breaks: `SELECT a.id FROM applications a JOIN postings p ON p.id = a.posting_id WHERE p.vacancy_id <> a.opportunity_id
      OR a.created_dt::date NOT BETWEEN p.opening_date AND coalesce(p.closing_date, 'infinity') OR p.created_dt > a.created_dt OR (p.is_withdrawn AND p.updated_dt < a.created_dt)`,
  },
  {
    says: 'candidates register before an event starts, and attend after its start',
    spoil: `UPDATE opportunities SET start_dt = now() + interval '1 year' WHERE kind = 'event'`,
    breaks: `SELECT a.id FROM applications a JOIN opportunities o ON o.id = a.opportunity_id
      WHERE a.outcome IN ('attended', 'no_show') AND a.state_entered_dt < o.start_dt OR a.created_dt > o.start_dt`,
  },
  {
    says: 'no vacancy hires more than its openings, and filled vacancies have hired',
    spoil: `UPDATE opportunities SET openings = 0 WHERE kind = 'vacancy'`,
    breaks: `SELECT o.id FROM opportunities o JOIN states s ON s.id = o.state_id, LATERAL (SELECT count(*) AS hired FROM applications a WHERE a.opportunity_id = o.id AND a.outcome = 'hired') h
      WHERE o.kind = 'vacancy' AND (hired > o.openings OR (s.state = 'filled' AND hired = 0))`,
  },
];

/** @type {readonly Rule[]} */
const dates = [
  {
    says: 'creation, state change and update are in this order, and not later than the demo data',
    spoil: `UPDATE applications SET updated_dt = created_dt - interval '1 second' WHERE id = 1500`,
    breaks: `SELECT id FROM stateful t WHERE NOT (created_dt <= state_entered_dt AND state_entered_dt <= updated_dt AND updated_dt <= '${timestamp(NOW)}')
      UNION ALL SELECT id FROM users WHERE id >= ${FIRST_ID} AND NOT (created_dt <= updated_dt AND updated_dt <= '${timestamp(NOW)}')
      UNION ALL SELECT id FROM postings WHERE NOT (created_dt <= updated_dt AND updated_dt <= '${timestamp(NOW)}')
      UNION ALL SELECT id FROM applications WHERE submitted_dt IS DISTINCT FROM created_dt
      UNION ALL SELECT id FROM history_entries WHERE date > '${timestamp(NOW)}'`,
  },
  {
    says: 'closing dates follow opening dates, and a posting does not open before its vacancy',
    spoil: `UPDATE postings SET closing_date = opening_date - 1 WHERE id = 1010`,
    breaks: `SELECT id FROM opportunities WHERE closing_date < opening_date OR end_dt <= start_dt
      UNION ALL SELECT p.id FROM postings p JOIN opportunities o ON o.id = p.vacancy_id WHERE p.closing_date < p.opening_date OR p.opening_date < o.opening_date OR o.kind <> 'vacancy'`,
  },
];

/** @type {readonly Rule[]} */
const people = [
  {
    says: 'addresses use only example.com and example.org',
    spoil: `UPDATE users SET email = 'somebody@mail.test' WHERE id = 1100`,
    breaks: `SELECT id FROM users WHERE id >= ${FIRST_ID} AND email !~ '^[a-z0-9.-]+@example[.](com|org)$'
      UNION ALL SELECT id FROM candidate_emails WHERE address !~ '^[a-z0-9.-]+@([a-z]+[.])?example[.](com|org)$'
      UNION ALL SELECT id FROM candidate_urls WHERE address !~ '^https://([a-z0-9-]+[.])?example[.](com|org)(/|$)'
      UNION ALL SELECT id FROM job_boards WHERE base_url !~ '^https://([a-z]+[.])?example[.](com|org)(/|$)'`,
  },
  {
    says: 'telephone numbers are from ranges reserved for fiction',
    spoil: `UPDATE candidate_phones SET number = '+1 202 456 1111' WHERE id = 1001`,
    breaks: String.raw`SELECT id FROM candidate_phones WHERE regexp_replace(number, ' ', '', 'g') !~ ('^\+(1\d{3}55501\d\d|44(7700900\d{3}|2079460\d{3}|1(13|31|61)4960\d{3})'
      || '|49(17139200\d\d|3023125\d{3}|4066969\d{3}|8999998\d{3}|2214710\d{3}|6990009\d{3})|33(639\s*98\d{4}|19900\d{4}|46571\d{4}|53649\d{4})'
      || '|61(491570(006|156|157|158|159|110)|255[5]0\d{4}|37010\d{4})|46(70174060[5-9]|7017406[1-9]\d|8465004\d\d|3139006\d\d))$')`,
  },
  {
    says: "a candidate's first Email is the e-mail address of the user",
    spoil: `UPDATE candidate_emails SET address = 'x@example.com' WHERE position = 0 AND user_id = 1100`,
    breaks: `SELECT u.id FROM users u LEFT JOIN candidate_emails e ON e.user_id = u.id AND e.position = 0 WHERE u.type = 'candidate' AND (e.address = u.email AND e.label = 'primary') IS NOT TRUE`,
  },
  {
    says: 'positions count from 0 without gaps',
    spoil: `UPDATE candidate_emails SET position = position + 1 WHERE user_id = 1100 AND position = 0`,
    breaks: ['emails', 'addresses', 'phones', 'urls']
      .map(
        (table) =>
          `SELECT user_id FROM candidate_${table} GROUP BY user_id HAVING max(position) <> count(*) - 1 OR min(position) <> 0`,
      )
      .join(' UNION ALL '),
  },
  {
    says: 'names have many scripts: Latin with marks, apostrophes and hyphens, Arabic, Hebrew, Greek, Cyrillic, Chinese',
    spoil: `UPDATE users SET lastname = 'Smith' WHERE lastname ~ '[\u05d0-\u05ea]'`,
    breaks: `SELECT pattern FROM unnest(ARRAY['[éöñ]', '''', '-', ' ', '[\u0621-\u064a]', '[\u05d0-\u05ea]', '[\u03b1-\u03c9]', '[\u0430-\u044f]', '[\u4e00-\u9fff]']) pattern
      WHERE NOT EXISTS (SELECT 1 FROM users WHERE type = 'candidate' AND lastname ~ pattern)`,
  },
];

const answered = `SELECT 'application' AS subject_type, v.*, CASE a.app_type WHEN 'vacancy_application' THEN 'applications' ELSE 'event_applications' END AS resource FROM application_form_values v JOIN applications a ON a.id = v.owner_id
      UNION ALL SELECT 'opportunity', v.*, CASE o.kind WHEN 'vacancy' THEN 'vacancies' ELSE 'events' END FROM opportunity_form_values v JOIN opportunities o ON o.id = v.owner_id`;
const isToCandidate = `c.type <> 'note' AND c.direction = 'outbound' AND c.status = 'sent'`;

/** @type {readonly Rule[]} */
const formsAndMessages = [
  {
    says: 'each resource with form values has a form and some values',
    spoil: `DELETE FROM opportunity_form_values v USING opportunities o WHERE o.id = v.owner_id AND o.kind = 'event'`,
    breaks: `SELECT resource FROM unnest(ARRAY['applications', 'event_applications', 'vacancies', 'events']) resource
      WHERE NOT EXISTS (SELECT FROM forms f JOIN form_sections s ON s.form_id = f.id JOIN form_items i ON i.section_id = s.id JOIN (${answered}) v ON v.item_id = i.id WHERE f.resource = resource.resource)`,
  },
  {
    says: 'values belong to a form of their resource, and options to their item',
    spoil: `UPDATE application_form_values v SET option_ids = ARRAY[1001] FROM form_items i WHERE i.id = v.item_id AND i.key = 'licences'`,
    breaks: `SELECT v.owner_id FROM (${answered}) v JOIN form_items i ON i.id = v.item_id JOIN form_sections s ON s.id = i.section_id JOIN forms f ON f.id = s.form_id
      WHERE f.resource <> v.resource OR EXISTS (SELECT FROM unnest(v.option_ids) chosen WHERE NOT EXISTS (SELECT FROM form_options o WHERE o.id = chosen AND o.item_id = i.id))`,
  },
  {
    says: 'histories contain submitted forms and messages to candidates',
    spoil: `DELETE FROM history_entries WHERE type = 'comm_sent'`,
    breaks: `SELECT v.owner_id FROM (${answered}) v WHERE NOT EXISTS (SELECT FROM history_entries h WHERE h.type = 'form_submitted' AND h.subject_type = v.subject_type AND h.subject_id = v.owner_id)
      UNION ALL SELECT c.id FROM communications c FULL JOIN (SELECT * FROM history_entries WHERE type = 'comm_sent') h ON (h.changes -> 0 -> 'new' ->> 'id')::bigint = c.id AND h.subject_id = c.application_id AND h.date = c.sent_dt
        WHERE (h.id IS NOT NULL) IS DISTINCT FROM coalesce(${isToCandidate}, false)`,
  },
  {
    says: 'messages belong to an application of their candidate and use the addresses of the candidate',
    spoil: `UPDATE communications SET to_addresses = '{nobody@example.com}' WHERE type = 'email' AND direction = 'outbound'`,
    breaks: `SELECT c.id FROM communications c JOIN applications a ON a.id = c.application_id JOIN users u ON u.id = c.user_id
      WHERE c.user_id <> a.user_id OR c.to_addresses IS DISTINCT FROM CASE WHEN c.type = 'note' OR c.direction = 'inbound' THEN '{}' WHEN c.type = 'email' THEN ARRAY[u.email]
        ELSE ARRAY(SELECT number FROM candidate_phones p WHERE p.user_id = u.id AND label = 'mobile') END`,
  },
  {
    says: 'messages of every type occur, and none is queued',
    spoil: `DELETE FROM communications WHERE status = 'failed'`,
    breaks: `SELECT wanted FROM unnest(ARRAY['email outbound sent', 'email outbound failed', 'email inbound sent', 'sms inbound sent', 'note outbound sent']) wanted
        WHERE NOT EXISTS (SELECT FROM communications WHERE concat_ws(' ', type, direction, status) = wanted)
      UNION ALL SELECT id::text FROM communications WHERE status = 'queued' UNION ALL SELECT id::text FROM outgoing_mails`,
  },
  {
    says: 'labels of forms exist in every language',
    spoil: `UPDATE form_items SET label = label - 'ar'`,
    breaks: `SELECT id FROM form_items WHERE NOT label ?& ARRAY['en', 'de', 'fr', 'es', 'ar'] UNION ALL SELECT id FROM form_sections WHERE NOT name ?& ARRAY['en', 'de', 'fr', 'es', 'ar']`,
  },
];

/** @type {readonly Rule[]} */
const whole = [
  {
    says: 'every state is used by an application or an opportunity',
    spoil: `UPDATE opportunities SET state_id = 302 WHERE state_id = 308`,
    breaks: `SELECT s.id FROM states s WHERE NOT EXISTS (SELECT 1 FROM applications WHERE state_id = s.id) AND NOT EXISTS (SELECT 1 FROM opportunities WHERE state_id = s.id)`,
  },
  {
    says: 'descriptions have HTML and the matching plain text',
    spoil: `UPDATE opportunities SET description_plain = description WHERE id = 1001`,
    breaks: ['opportunities', 'postings']
      .map(
        (table) =>
          `SELECT id FROM ${table} WHERE (description IS NULL) <> (description_plain IS NULL) OR NOT starts_with(description, '<p>') OR description_plain ~ '<[a-z/]|&amp;'`,
      )
      .join(' UNION ALL '),
  },
  {
    says: 'most vacancies are open, and some postings have no closing date',
    spoil: `UPDATE opportunities SET state_id = 303 WHERE kind = 'vacancy'`,
    breaks: `SELECT 1 FROM opportunities o JOIN states s ON s.id = o.state_id WHERE o.kind = 'vacancy' HAVING count(*) FILTER (WHERE s.state = 'open') * 2 < count(*)
      UNION ALL SELECT 1 FROM postings HAVING count(*) FILTER (WHERE closing_date IS NULL AND NOT is_withdrawn) = 0`,
  },
  {
    says: 'most applications are submitted, in review or rejected, and few are hired',
    spoil: `UPDATE applications SET state_id = 108 WHERE id < 1200`,
    breaks: `SELECT 1 FROM applications a JOIN states s ON s.id = a.state_id WHERE a.app_type = 'vacancy_application'
      HAVING count(*) FILTER (WHERE s.state IN ('submitted', 'in_review', 'rejected')) < 0.8 * count(*) OR count(*) FILTER (WHERE s.state = 'hired') > 0.02 * count(*)`,
  },
  {
    says: 'there are no events and no notifications',
    spoil: `INSERT INTO domain_events (type, subject_type, subject_id, recruiter_id, time_zone, facts) VALUES ('POSTING_CREATE', 'posting', 1001, 1001, 'UTC', '{}')`,
    breaks: `SELECT 1 FROM domain_events UNION ALL SELECT 1 FROM notification_deliveries UNION ALL SELECT 1 FROM notification_topics UNION ALL SELECT 1 FROM notification_subscriptions`,
  },
];

export const rules = [...histories, ...applications, ...dates, ...people, ...formsAndMessages, ...whole];
