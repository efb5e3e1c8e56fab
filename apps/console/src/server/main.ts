import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EnvironmentError, readEnvironment } from '@ats/configuration';
import { configuration } from '../config/env.js';
import { serveConsole } from './site.js';

const folder = fileURLToPath(new URL('../site', import.meta.url));

/** Starts the server. A wrong configuration ends the process with status 1 and a message that names each variable. */
function start(): void {
  const { CONSOLE_PORT, CONSOLE_API_URL } = readEnvironment(configuration, process.env);
  const page = readFileSync(`${folder}/index.html`, 'utf8');
  const server = serveConsole({ page, folder, apiUrl: CONSOLE_API_URL });
  server.listen(CONSOLE_PORT, () => console.log(`the console listens on port ${CONSOLE_PORT}`));
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => server.close());
}

try {
  start();
} catch (error) {
  console.error(error instanceof EnvironmentError ? error.message : error);
  process.exitCode = 1;
}
