import { expect } from '@jest/globals';
import { LANGUAGES } from '@ats/domain';
import { type ProblemBody } from '../support/answer.js';
import { type Api, type Method, type RequestOptions } from '../support/api-harness.js';
import { expectStatus } from '../support/factories.js';
import { codesOf, englishIn, speaking, textsOf, TRANSLATED } from '../support/translations.js';

export type Asked = readonly [status: number, method: Method, path: string, options?: RequestOptions];

/**
 * Sends the request in every language. Expects the same violations, translated.
 * @returns the error bodies by language
 */
export async function inEveryLanguage(
  api: Api,
  [status, method, path, options = {}]: Asked,
): Promise<ReadonlyMap<string, ProblemBody>> {
  const problems = new Map<string, ProblemBody>();
  for (const language of LANGUAGES) {
    const answer = expectStatus(
      status,
      await api.request(method, path, { ...options, headers: { ...options.headers, ...speaking(language) } }),
    );
    expect(answer.headers['content-language']).toBe(language);
    problems.set(language, answer.problem);
  }
  const english = problems.get('en') as ProblemBody;
  for (const language of TRANSLATED) {
    const problem = problems.get(language) as ProblemBody;
    expect(codesOf(problem)).toEqual(codesOf(english));
    expect(englishIn(english, problem)).toEqual([]);
    expect(textsOf(english)).not.toEqual(expect.arrayContaining([problem.message]));
  }
  return problems;
}
