import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './app.js';

/** A certificate and its key in PEM format. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const MODULE = pathToFileURL(join(ROOT, 'docker/self-signed.mjs')).href;

/**
 * Makes a self-signed certificate for 127.0.0.1, with the same command as the shipped compose file.
 * @param days  the number of days until the certificate expires. A negative number makes an expired certificate
 */
export const makeCertificate = (days = 2): Certificate =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { selfSigned } from '${MODULE}';
         console.log(JSON.stringify(selfSigned({ hosts: ['localhost', '127.0.0.1'], days: ${days} })));`,
      ],
      { encoding: 'utf8' },
    ),
  ) as Certificate;
