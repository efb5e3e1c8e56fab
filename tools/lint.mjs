// @ts-check
import { runTool } from './node.mjs';

// The import is dynamic, because `runTool` may have to install the packages first.
await runTool(async () => (await import('./test/lint.mjs')).lint());
