// @ts-check

const severe = ['high', 'critical'];

/**
 * Judges the output of `npm audit --json`. When the registry did not answer, nothing is known about vulnerabilities,
 * and the audit counts as skipped.
 * @param {string} output
 * @returns {{ ok: boolean, lines: string[] }}
 */
export function judgeAudit(output) {
  /** @type {{ name: string, severity: string, range: string }[] | undefined} */
  const found = vulnerabilitiesIn(output);
  if (!found)
    return { ok: true, lines: ['skipped, the registry did not answer: nothing is known about vulnerabilities'] };
  if (found.length === 0) return { ok: true, lines: ['no known vulnerabilities'] };
  return {
    ok: !found.some(({ severity }) => severe.includes(severity)),
    lines: found.map(({ name, severity, range }) => `${severity}: ${name} ${range}`),
  };
}

/**
 * Returns the vulnerabilities in the output of `npm audit`; undefined when the registry did not answer.
 * @param {string} output
 */
function vulnerabilitiesIn(output) {
  try {
    const { vulnerabilities } = JSON.parse(output);
    return vulnerabilities && Object.values(vulnerabilities);
  } catch {
    return undefined; // npm prints no JSON when it fails early, so there is nothing to read.
  }
}
