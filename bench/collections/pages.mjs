import { median, timed } from '../measure.mjs';

const ROUNDS = 31;

/**
 * Measures a deep page by number and by `next`, one request at a time.
 * @param {{ api: import('./servers.mjs').Server, pages: { number: number, path: string }[], deepPage: number }} parts
 */
export async function measurePages({ api, pages, deepPage }) {
  const nextOf = (page) => pages.find(({ number }) => number === page + 1).path;
  const paths = {
    [`page=${deepPage}`]: `/api/v1/applications?page=${deepPage}`,
    [`next of page ${deepPage}`]: nextOf(deepPage),
    'next of page 2': nextOf(2),
  };
  const times = new Map(Object.keys(paths).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, path] of Object.entries(paths)) {
      times.get(name).push(await timed(() => api.client.read(path)));
    }
  }
  console.log(
    `pages, median of ${ROUNDS}: ${[...times].map(([name, values]) => `${name} ${median(values).toFixed(1)} ms`).join(', ')}`,
  );
}
