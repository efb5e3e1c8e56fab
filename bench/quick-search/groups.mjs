const LANGUAGE = 'en';
const RESULTS = 10;

/** Returns one finder for each group of results. A finder runs the statement of its group on a single connection. */
export async function openGroups({ url }, { publicUrl }) {
  const { QUICK_SEARCH_GROUPS, quickSearchStatement } = await import('@ats/domain');
  const { ReadPool } = await import('@ats/postgres');
  const pool = new ReadPool({
    url,
    applicationName: 'bench-groups',
    size: 1,
    statementTimeoutMs: 10_000,
    connectionTimeoutMs: 5_000,
  });
  const finders = QUICK_SEARCH_GROUPS.map((group) => {
    const statement = quickSearchStatement(group, { baseUrl: publicUrl, language: LANGUAGE });
    return { name: group.name, find: (text) => pool.query(statement(text, RESULTS)) };
  });
  return { finders, stop: () => pool.close() };
}
