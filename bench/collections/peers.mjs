import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardDir, unguardDir } from '../../tools/services/guard.mjs';
import { printTable } from '../measure.mjs';
import { cellsOf, duel, headingsWith } from './duel.mjs';
import { directus } from './peers/directus.mjs';
import { paginate } from './peers/paginate.mjs';

const PATH = '/api/v1/vacancy_applications';
const STATES = ['submitted', 'rejected', 'in_review', 'withdrawn'];
const NAMES = ['son', 'er', 'ez', 'll', 'sen'];

/**
 * @typedef {object} Peer a server that other people have written, on the same tables
 * @property {string} name
 * @property {(database: any, folder: string) => Promise<import('./servers.mjs').Server>} start `folder` contains the
 *   packages
 * @property {(number: number) => string} page path of a page of 100 applications by id
 * @property {(state: string, lastname: string) => string} search path of the newest 100 applications in a state, of
 *   users with a part of the last name
 * @property {(item: any) => unknown[]} itemOf id, state, last name and title of an item
 */

/** @type {Peer[]} */
export const PEERS = [paginate, directus];

/**
 * Installs the packages of the peers in a temporary folder, so that the workspace does not depend on them. No script of
 * a package runs. Directus needs isolated-vm; `overrides` names a release of isolated-vm with a binary.
 * @returns {{ folder: string, stop: () => void }}
 */
export function installPeers() {
  const folder = mkdtempSync(join(tmpdir(), 'ats-peers-'));
  guardDir(folder);
  const stop = () => {
    rmSync(folder, { recursive: true });
    unguardDir(folder);
  };
  try {
    copyFileSync(join(import.meta.dirname, 'peers/packages.json'), join(folder, 'package.json'));
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    stop();
    throw error;
  }
  return { folder, stop };
}

/**
 * Compares the API with a peer. There is no target.
 * @param {object} parts
 * @param {import('./servers.mjs').Server} parts.api
 * @param {Peer} parts.peer
 * @param {import('./servers.mjs').Server} parts.server the server of the peer
 * @param {number} parts.deepPage
 */
export async function comparePeer({ api, peer, server, deepPage, ...options }) {
  const rows = [[`peer: ${peer.name}`, 'api/s', 'peer/s', 'ratio', ...headingsWith('peer')]];
  for (const [title, requests] of workloads(peer, deepPage)) {
    for (const request of requests) await assertSameItems(api, peer, server, request);
    const sides = [
      { ...api, pathOf: (request) => request.api },
      { ...server, pathOf: (request) => request.peer },
    ];
    const { ratio, figures } = await duel(sides, requests, options);
    rows.push([title, ...figures.map(({ rate }) => rate.toFixed(0)), ratio.toFixed(2), ...cellsOf(figures)]);
  }
  printTable(rows);
}

/** @returns {[title: string, requests: { api: string, peer: string }[]][]} */
function workloads(peer, deepPage) {
  const page = (number) => [{ api: `${PATH}?page=${number}`, peer: peer.page(number) }];
  const searches = STATES.flatMap((state) =>
    NAMES.map((name) => ({
      api: `${PATH}?${new URLSearchParams([
        ['search', `/process_state/state=${state}`],
        ['search', `application.user.lastname=~${name}`],
        ['sort', 'application.created_dt!desc'],
      ])}`,
      peer: peer.search(state, name),
    })),
  );
  return [
    ['first page', page(1)],
    [`page ${deepPage} by number`, page(deepPage)],
    ['state and last name, newest first', searches],
  ];
}

/** Checks that both servers give the same items in the same order. */
async function assertSameItems(api, peer, server, request) {
  const ours = JSON.parse((await api.client.get(request.api)).text);
  const theirs = JSON.parse((await server.client.get(request.peer)).text).data;
  const left = ours.map(({ id, process_state, user, opportunity }) =>
    [id, process_state.state, user.lastname, opportunity.title].join(),
  );
  const right = theirs.map((item) => peer.itemOf(item).join());
  const at = left.findIndex((item, index) => item !== right[index]);
  if (left.length !== right.length || at >= 0)
    throw new Error(
      `the API and ${peer.name} give different items to ${request.api}:\n  ${left[at]}\n  ${right[at]}\n` +
        `  ${left.length} and ${right.length} items`,
    );
}
