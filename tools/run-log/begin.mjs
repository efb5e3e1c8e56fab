// @ts-check
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Before a run of end-to-end tests: from here on all processes leave what they print in one folder. Called by Jest. */
export default function begin() {
  process.env['RUN_LOG_FOLDER'] = mkdtempSync(join(tmpdir(), 'run-log-'));
}
