// @ts-check
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './node.mjs';

// Installs Chromium where possible, and prints the path of the program. Tests with a browser use it.
await runTool(async () => {
  const { findOrInstallChromium } = await import('./services/chromium.mjs');
  const logFile = join(mkdtempSync(join(tmpdir(), 'ats-chromium-')), 'install.log');
  console.log(await findOrInstallChromium({ logFile, say: console.error }));
});
