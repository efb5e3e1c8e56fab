// @ts-check
import { runTool } from './node.mjs';
import { parseOptions } from './options.mjs';

const usage = `usage: npm start
Runs the service with demo data on this machine until Ctrl-C.

The variables PORT and NOTIFIER_PORT choose other ports: PORT=3010 NOTIFIER_PORT=3011 npm start`;

await runTool(async () => {
  if (!parseOptions(usage, {}, process.argv.slice(2))) return;
  // The import is dynamic, because `runTool` may have to install the packages first.
  await (await import('./start/start.mjs')).start();
});
