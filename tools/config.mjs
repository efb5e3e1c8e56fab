// @ts-check
/** Prints and checks the environment variables: `npm run config -- --help`. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { readOptions } from './config/options.mjs';
import { runTool } from './node.mjs';
import { PlainError, root } from './workspace.mjs';

await runTool(async () => {
  const options = readOptions(process.argv.slice(2));
  if (!options) return;
  if (!options.isBuilt) build();
  // Loaded after the build, because a fresh clone lacks the compiled apps.
  return (await import('./config/main.mjs')).main(options);
});

/** Builds the apps, which declare the variables. Prints nothing unless the build fails. */
function build() {
  try {
    execFileSync(
      process.execPath,
      [join(root, 'node_modules/.bin/nx'), 'run-many', '-t', 'build', '-p', '@ats/api', '@ats/notifier'],
      { cwd: root, stdio: 'pipe', encoding: 'utf8' },
    );
  } catch (error) {
    throw new PlainError(
      `${/** @type {{ stdout?: string }} */ (error).stdout ?? error}\n` +
        'the environment variables cannot be listed, because the apps could not be built',
    );
  }
}
