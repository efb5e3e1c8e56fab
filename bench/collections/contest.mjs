import { judge, printTable } from '../measure.mjs';
import { cellsOf, duel, headingsWith } from './duel.mjs';

const AIM = 0.8;

/**
 * Compares the API with the limit server (see limit-server.mjs), one workload after the other.
 * @param {object} parts
 * @param {import('./servers.mjs').Server} parts.api
 * @param {import('./servers.mjs').Server} parts.limit
 * @param {import('./workloads.mjs').Workload[]} parts.workloads
 */
export async function contest({ api, limit, workloads, ...options }) {
  const rows = [['', 'api/s', 'limit/s', 'ratio', 'target', ...headingsWith('limit')]];
  for (const { part, title, requests } of workloads) {
    await assertSameAnswers(api, limit, requests);
    const sides = [
      { ...api, pathOf: (request) => request.api },
      { ...limit, pathOf: (request) => request.limit },
    ];
    const { ratio, figures } = await duel(sides, requests, options);
    const isMet = judge(`${part}: at least ${AIM} of the limit`, ratio >= AIM, ratio.toFixed(2));
    rows.push([
      `${part} ${title}`,
      ...figures.map(({ rate }) => rate.toFixed(0)),
      ratio.toFixed(2),
      isMet ? 'met' : 'MISSED',
      ...cellsOf(figures),
    ]);
  }
  printTable(rows);
}

/** Checks that both servers give the same answers; otherwise the comparison means nothing. */
export async function assertSameAnswers(api, limit, requests) {
  for (const request of requests) {
    const [{ text: ours }, { text: theirs }] = await Promise.all([
      api.client.get(request.api),
      limit.client.get(request.limit),
    ]);
    if (ours === theirs) continue;
    const at = [...ours].findIndex((character, index) => character !== theirs[index]);
    const around = (body) => body.slice(Math.max(0, at - 80), at + 80);
    throw new Error(
      `the API and the limit server give different answers to ${request.api}\n  api:   …${around(ours)}…\n  limit: …${around(theirs)}…`,
    );
  }
}
