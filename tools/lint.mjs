// @ts-check
import { runTool } from './node.mjs';

// What the rest imports may not be installed yet: it is loaded afterwards.
await runTool(async () => (await import('./test/lint.mjs')).lint());
