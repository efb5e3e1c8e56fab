// @ts-check
import { runTool } from './node.mjs';

// Loaded after the installation: the packages it imports may be missing before.
await runTool(async () => (await import('./chart/main.mjs')).main(process.argv.slice(2)));
