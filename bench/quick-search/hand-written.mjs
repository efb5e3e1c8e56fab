import pg from 'pg';

/** A statement is cancelled after this time, and is measured as if it took this time. */
const TIMEOUT_MS = 2_000;
const POOL_SIZE = 8;
const CANCELLED = '57014';

/**
 * Returns a statement that sorts by similarity, as tutorials on trigrams do. It uses the indexes of the collections.
 */
const best = (columns, from, text) =>
  `SELECT * FROM (SELECT ${columns}, word_similarity($1, ${text}) AS score FROM ${from} WHERE ${text} %> $1) m ORDER BY score DESC, id LIMIT 10`;

const applicationsOf = (kind) =>
  best(
    'a.id, u.firstname, u.lastname, o.title',
    `applications a JOIN users u ON u.id = a.user_id AND a.app_type = '${kind}' JOIN opportunities o ON o.id = a.opportunity_id`,
    'u.candidate_search_text',
  );

const STATEMENTS = [
  best('u.id, u.firstname, u.lastname, u.email', 'users u', 'u.candidate_search_text'),
  best('o.id, o.title, o.reference', `opportunities o`, 'o.title_folded').replace(
    'WHERE',
    `WHERE o.kind = 'vacancy' AND`,
  ),
  best('o.id, o.title, o.reference', `opportunities o`, 'o.title_folded').replace(
    'WHERE',
    `WHERE o.kind = 'event' AND`,
  ),
  best('p.id, p.title, p.location', 'postings p', 'fold(p.title)'),
  applicationsOf('vacancy_application'),
  applicationsOf('event_application'),
];

/**
 * Returns a finder that searches the same groups as the service, each group on its own connection. Its statements do
 * nothing special for texts that match very many rows.
 */
export function openHandWritten({ url }) {
  const options = `-c jit=off -c max_parallel_workers_per_gather=0 -c statement_timeout=${TIMEOUT_MS}`;
  const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE, application_name: 'bench-by-hand', options });
  const ask = async (statement, text) => {
    try {
      await pool.query(statement, [text.toLowerCase()]);
    } catch (error) {
      if (error.code !== CANCELLED) throw error;
    }
  };
  return { find: (text) => Promise.all(STATEMENTS.map((statement) => ask(statement, text))), stop: () => pool.end() };
}
