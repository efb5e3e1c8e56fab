import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mean } from '../measure.mjs';

const MIB = 1_024 * 1_024;
const SAMPLE_MS = 20;

/** Returns the resident memory of a process in MiB. */
export const rssOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024;

/**
 * @typedef {object} Wave
 * @property {number} ms  duration
 * @property {number} before  resident memory of the API in MiB before the wave
 * @property {number} peak  the most resident memory
 * @property {number} slope  growth of the resident memory in MiB for each 100 MiB that arrived, in the second half
 * @property {readonly string[]} failed  errors of the uploads
 */

/**
 * Uploads files at the same time, in waves, and samples the resident memory of the API.
 * @param {{ pid: number, api: string, token: string, size: number, count: number, ways: string[] }} options
 * @returns {Promise<Wave[]>} one for each of `ways`
 */
export async function uploadInWaves({ pid, api, token, size, count, ways }) {
  const client = fork(join(import.meta.dirname, 'client.mjs'), [JSON.stringify({ api, token, bytes: size })]);
  try {
    await once(client, 'message');
    const waves = [];
    for (const way of ways) {
      const samples = [rssOf(pid)];
      const timer = setInterval(() => samples.push(rssOf(pid)), SAMPLE_MS);
      const ended = once(client, 'message');
      client.send({ count, way });
      const [{ ms, failed }] = await ended;
      clearInterval(timer);
      const half = samples.slice(samples.length / 2);
      const arrived = (size * count) / 2 / MIB / 100;
      waves.push({ ms, failed, before: samples[0], peak: Math.max(...samples), slope: growthOf(half) / arrived });
    }
    return waves;
  } finally {
    client.kill();
  }
}

/** Returns the growth from the first to the last sample, along the line that fits the samples best. */
function growthOf(samples) {
  const [x, y] = [(samples.length - 1) / 2, mean(samples)];
  let covariance = 0;
  let variance = 0;
  for (const [index, value] of samples.entries()) {
    covariance += (index - x) * (value - y);
    variance += (index - x) ** 2;
  }
  return variance === 0 ? 0 : (covariance / variance) * samples.length;
}
