import { createServer } from 'node:http';
import { registerHooks } from 'node:module';

/**
 * Maps the end of the URL of a module to the functions of the module that record events. Each function is mapped to the
 * code that runs in its place while no events are recorded.
 */
const RECORDING = {
  '/libs/domain/dist/writing/event/note-changes.js': {
    noteChanges: 'return Promise.resolve();',
    eventOfUpdate: 'return undefined;',
  },
  '/libs/domain/dist/writing/event/former-values.js': {
    rememberFormerValues: 'return Promise.resolve();',
    isPastUsed: `return 'false';`,
  },
};

/** Replaces the functions with others that ask the switch first, before the API is loaded. */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const [, functions = {}] = Object.entries(RECORDING).find(([end]) => url.endsWith(end)) ?? [];
    let source = loaded.source;
    for (const [name, otherwise] of Object.entries(functions)) {
      source = String(source);
      const declaration = new RegExp(`^export (async )?function ${name}\\(`, 'm');
      if (!declaration.test(source)) throw new Error(`the module ${url} has no function ${name} to replace`);
      source = `${source.replace(declaration, `$1function recorded_${name}(`)}
export function ${name}(...args) {
  if (globalThis.recordsEvents) return recorded_${name}(...args);
  ${otherwise}
}
`;
    }
    return { ...loaded, source };
  },
});

globalThis.recordsEvents = true;

/** `PUT /on` and `PUT /off` switch the events of later requests. */
createServer((request, response) => {
  globalThis.recordsEvents = request.url === '/on';
  response.end();
}).listen(Number(process.env.SWITCH_PORT), '127.0.0.1');

/** Runs the API. The import must follow the hook, which replaces the functions. */
const { startVariant } = await import('../audit/start-variant.mjs');
await startVariant({});
