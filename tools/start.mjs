// @ts-check
import { runTool } from './node.mjs';

// Loaded after the installation: the packages it imports may be missing before.
await runTool(async () => (await import('./start/start.mjs')).start());
