// @ts-check
import { join } from 'node:path';
import { runTool } from './node.mjs';
import { parseOptions, text } from './options.mjs';
import { PlainError } from './workspace.mjs';

const usage = `usage: node tools/clamav.mjs --dir <folder> --port <port> --max-bytes <bytes>
Installs ClamAV where possible, and runs a clamd that knows the EICAR test file only, until its standard input ends.
Prints "ready" when it answers. The tests of the virus scan use it.`;

await runTool(async () => {
  const values = parseOptions(usage, { dir: text, port: text, 'max-bytes': text }, process.argv.slice(2));
  if (!values) return;
  const { dir, port, 'max-bytes': maxBytes } = values;
  if (!dir || !port || !maxBytes) throw new PlainError(usage);
  const { findOrInstallClamd, startClamd } = await import('./services/clamav.mjs');
  await findOrInstallClamd({ logFile: join(dir, 'install.log'), say: console.error });
  const server = await startClamd({ dir, port: Number(port), maxBytes: Number(maxBytes) });
  console.log('ready');
  process.stdin.resume();
  await Promise.race([new Promise((resolve) => process.stdin.once('end', resolve)), server.exited]);
  await server.stop();
});
