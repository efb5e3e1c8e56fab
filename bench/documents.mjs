import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../tools/services/ports.mjs';
import { sleep, startProcess } from '../tools/services/processes.mjs';
import { makeDataDir } from '../tools/workspace.mjs';
import { processMeter } from './cpu.mjs';
import { uploadInWaves } from './documents/memory.mjs';
import { linkTo, transfer, uploadsTo } from './documents/transfer.mjs';
import { judge, median, printTable, quantile } from './measure.mjs';
import { readOptions } from './options.mjs';
import { withService } from './service.mjs';

export const projects = ['@ats/api'];

const MIB = 1_024 * 1_024;
const WARM_UP_ROUNDS = 3;
/** Least accepted ratio of a transfer through the API to the same transfer through the bare server. */
const LIMIT = 0.5;
/** Greatest accepted ratio of the peak memory with files of the full size to that with files of a fifth of the size. */
const GROWTH = 1.25;
const BARE = 'bare Fastify';
const FLUSHED = 'bare Fastify, flushed';
const usage = `
  --mib      size of a file in MiB, default 25
  --rounds   number of rounds, default 20
  --uploads  number of uploads at the same time, for the memory, default 100
  --waves    number of times that they run with each kind of upload, default 2
  --only     rates or memory, default both`;

/**
 * Compares uploads and downloads of documents with a bare Fastify server that streams the same bytes to and from the
 * same disk. Then measures the memory of the API while many files arrive at the same time. Exits with 1 when a ratio or
 * the memory misses its target.
 * @param {string[]} args
 */
export async function run(args) {
  const defaults = { mib: 25, rounds: 20, uploads: 100, waves: 2, only: ['rates', 'memory'] };
  const { mib, rounds, uploads, waves, only } = readOptions('documents', usage, defaults, args);
  const folder = mkdtempSync(join(makeDataDir(), 'bench-documents-'));
  try {
    await withService({ apps: [], isDurable: true }, async ({ start }) => {
      const startApi = async () => {
        const PORT = String(await freePort());
        const api = `http://127.0.0.1:${PORT}`;
        const { pid, environment } = await start({
          PORT,
          PUBLIC_BASE_URL: api,
          DOCUMENTS_FOLDER: join(folder, 'api'),
          DOCUMENT_MAX_BYTES: String(mib * MIB),
        });
        return { api, pid, token: environment.BOOTSTRAP_TOKEN };
      };
      if (only.includes('rates')) await compareRates({ target: await startApi(), folder, size: mib * MIB, rounds });
      if (only.includes('memory')) await measureMemory({ startApi, size: mib * MIB, uploads, waves });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareRates({ target, folder, size, rounds }) {
  const bareFolder = join(folder, 'bare');
  mkdirSync(bareFolder);
  const env = { PATH: process.env.PATH, PORT: String(await freePort()), FOLDER: bareFolder };
  const script = join(import.meta.dirname, 'documents/bare-server.mjs');
  const bare = await startProcess({
    name: 'bare',
    command: process.execPath,
    args: [script],
    env,
    onLine: console.error,
  });
  try {
    const files = `http://127.0.0.1:${env.PORT}/files`;
    await untilListening(files);
    const bytes = randomBytes(size);
    const octets = { 'content-type': 'application/octet-stream' };
    const uploadBare = async (query) => {
      const options = { url: files + query, method: 'POST', headers: octets, body: bytes, isRead: true };
      return JSON.parse((await transfer(options)).text).id;
    };
    const { raw, multipart, tus } = uploadsTo({ ...target, bytes });
    const url = `${files}/${await uploadBare('')}`;
    const documentId = await raw();
    const meters = { api: processMeter(target.pid), bare: processMeter(bare.pid) };
    const sides = [
      { name: BARE, meter: meters.bare, work: () => uploadBare('') },
      { name: FLUSHED, meter: meters.bare, work: () => uploadBare('?flush') },
      { name: 'upload, raw', meter: meters.api, work: raw },
      { name: 'upload, multipart', meter: meters.api, work: multipart },
      { name: 'upload, tus', meter: meters.api, work: tus },
    ];
    const uploaded = await figuresOf(sides, { size, rounds });
    show('upload', uploaded, [BARE, FLUSHED]);
    const check = async (wanted) => {
      const { bytes: got } = await transfer({ url: await wanted() });
      if (got !== size) throw new Error(`a download has ${got} of ${size} bytes`);
    };
    const downloaded = await figuresOf(
      [
        { name: BARE, meter: meters.bare, work: () => check(() => url) },
        { name: 'download, with its link', meter: meters.api, work: () => check(() => linkTo(target, documentId)) },
      ],
      { size, rounds },
    );
    show('download', downloaded, [BARE]);
  } finally {
    await bare.stop();
  }
}

/**
 * Runs all rounds, in which the sides take turns.
 * @returns {Promise<Map<string, { rates: number[], computed: number[] }>>} MiB a second, and ms of processor, by name
 */
async function figuresOf(sides, { size, rounds }) {
  const figures = new Map(sides.map(({ name }) => [name, { rates: [], computed: [] }]));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const { name, work, meter } = sides[(round + WARM_UP_ROUNDS + turn) % sides.length];
      const computed = meter();
      const start = performance.now();
      await work();
      const ms = performance.now() - start;
      if (round < 0) continue;
      figures.get(name).rates.push(size / MIB / (ms / 1_000));
      figures.get(name).computed.push(meter() - computed);
    }
  }
  return figures;
}

function show(title, figures, bases) {
  const ratiosOf = (name, base) => figures.get(name).rates.map((rate, round) => rate / figures.get(base).rates[round]);
  const quartiles = (values, digits) => [0.5, 0.25, 0.75].map((share) => quantile(values, share).toFixed(digits));
  printTable([
    [title, 'MiB/s p50', 'p25', 'p75', 'server, ms of processor', ...bases.map((base) => `ratio to ${base}`)],
    ...[...figures].map(([name, { rates, computed }]) => [
      name,
      ...quartiles(rates, 0),
      median(computed).toFixed(0),
      ...bases.map((base) => quartiles(ratiosOf(name, base), 2)).map(([p50, p25, p75]) => `${p50} (${p25} to ${p75})`),
    ]),
  ]);
  for (const name of [...figures.keys()].filter((side) => !bases.includes(side))) {
    const ratio = median(ratiosOf(name, BARE));
    judge(`${name}: at least ${LIMIT} of a bare Fastify stream`, ratio >= LIMIT, ratio.toFixed(2));
  }
}

async function measureMemory({ startApi, size, uploads, waves }) {
  const ways = ['raw', 'multipart', 'tus'].flatMap((way) => Array.from({ length: waves }, () => way));
  const peaks = [];
  const rows = [];
  for (const share of [0.2, 1]) {
    const options = { ...(await startApi()), size: Math.round(size * share), count: uploads, ways };
    await uploadInWaves({ ...options, size: MIB / 2, count: 10 });
    await sleep(1_000);
    const done = await uploadInWaves(options);
    peaks.push(Math.max(...done.map(({ peak }) => peak)));
    for (const [index, { before, peak, slope, ms, failed }] of done.entries()) {
      const title = `${uploads} of ${((size * share) / MIB).toFixed(0)} MiB, ${ways[index]}`;
      rows.push([title, ...[before, peak].map((value) => value.toFixed(0)), slope.toFixed(2), (ms / 1_000).toFixed(1)]);
      judge(`${title}: all are stored`, failed.length === 0, failed[0] ?? `${uploads} documents`);
    }
  }
  printTable([
    ['uploads at the same time', 'MiB before', 'MiB at most', 'growth in MiB per 100 MiB, second half', 'seconds'],
    ...rows,
  ]);
  const [small, whole] = peaks;
  judge(
    `files of five times the size need at most ${GROWTH} times the memory`,
    whole <= small * GROWTH,
    (whole / small).toFixed(2),
  );
}

async function untilListening(url) {
  for (let tries = 0; tries < 200; tries++) {
    if (await fetch(url).catch(() => undefined)) return;
    await sleep(50);
  }
  throw new Error('the bare server does not listen');
}
