import { homedir } from 'node:os';
import { join } from 'node:path';

/** The settings of the command line, from its environment. Nothing else reads `process.env`. */
export interface Environment {
  /** The address of the service. It takes precedence over the stored address. */
  readonly url: string | undefined;
  /** The token of a credential. It takes precedence over the stored token. */
  readonly token: string | undefined;
  /** The folder in which the settings of this user are stored. */
  readonly configFolder: string;
}

const set = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** Reads `ATS_URL`, `ATS_TOKEN`, and the place of the settings: `XDG_CONFIG_HOME`, `APPDATA` or `~/.config`. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const base = set(env['XDG_CONFIG_HOME']) ?? set(env['APPDATA']) ?? join(homedir(), '.config');
  return { url: set(env['ATS_URL']), token: set(env['ATS_TOKEN']), configFolder: join(base, 'ats') };
}
