import { registerHooks } from 'node:module';

/** The functions that record events, by the end of the address of their module. */
const RECORDING = {
  '/libs/domain/dist/writing/event/note-changes.js': 'noteChanges',
  '/libs/domain/dist/writing/event/former-values.js': 'rememberFormerValues',
};

/** Replaces the functions with others that do nothing, before the API is loaded. */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const name = Object.entries(RECORDING).find(([end]) => url.endsWith(end))?.[1];
    if (name === undefined) return loaded;
    const declaration = `export async function ${name}(`;
    const source = String(loaded.source);
    if (!source.includes(declaration)) throw new Error(`the module ${url} has no function ${name} to replace`);
    const replaced = source.replace(declaration, `async function replaced(`);
    return { ...loaded, source: `${replaced}\nexport async function ${name}() {}\n` };
  },
});

/** Runs the API without events of changes. The import must follow the hook, which replaces the functions. */
const { startVariant } = await import('../audit/start-variant.mjs');
await startVariant({});
