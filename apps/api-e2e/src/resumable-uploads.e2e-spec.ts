// @group long: starts two APIs behind a proxy, and sends a large file
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from './support/app.js';
import { Service } from './support/service.js';

const BYTES = randomBytes(8 * 1024 * 1024 + 1);
/** The program of the client, which runs in a process of its own. With `stopAt`, it ends after this number of bytes. */
const PROGRAM = `
import { createReadStream, statSync } from 'node:fs';
import { Upload } from 'tus-js-client';
const { endpoint, uploadUrl, token, file, stopAt = Infinity } = JSON.parse(process.argv[1]);
const upload = new Upload(createReadStream(file), {
  ...(uploadUrl ? { uploadUrl } : { endpoint }),
  uploadSize: statSync(file).size,
  chunkSize: 1024 * 1024,
  headers: { authorization: 'Bearer ' + token },
  metadata: { kind: 'cv', filename: 'cv.bin' },
  onError: (error) => { throw error; },
  onChunkComplete: (_size, accepted) => {
    if (accepted < stopAt) return;
    console.log(JSON.stringify({ url: upload.url, accepted }));
    process.exit();
  },
  onSuccess: ({ lastResponse }) => console.log(JSON.stringify({ document: lastResponse.getHeader('Upload-Document') })),
});
upload.start();
`;

let service: Service;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'resumable-'));
  file = join(folder, 'cv.bin');
  writeFileSync(file, BYTES);
  service = await Service.start({ DOCUMENTS_FOLDER: join(folder, 'documents') }, { apis: 2, notifiers: 0 });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Result {
  readonly url?: string;
  readonly accepted?: number;
  readonly document?: string;
}

/** Runs the client in a new process. @returns the texts that it printed */
async function uploadWith(options: object): Promise<Result> {
  const { baseUrl, token } = service.client;
  const settings = JSON.stringify({ endpoint: `${baseUrl}/documents/uploads`, token, file, ...options });
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM, settings], {
    cwd: join(ROOT, 'apps/api-e2e'),
  });
  return JSON.parse(stdout) as Result;
}

async function expectDocument(id: string | undefined): Promise<void> {
  const { url } = await service.client.get<{ readonly url: string }>(`/documents/${id}/link`);
  const stored = Buffer.from(await (await fetch(url)).arrayBuffer());
  const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  expect(hash(stored)).toBe(hash(BYTES));
}

describe('tus-js-client', () => {
  it('uploads a file through two API processes in turn', async () => {
    await expectDocument((await uploadWith({})).document);
  });

  it('resumes with uploadUrl in a new process', async () => {
    const { url, accepted } = await uploadWith({ stopAt: 3 * 1024 * 1024 });
    expect(accepted).toBe(3 * 1024 * 1024);
    await expectDocument((await uploadWith({ uploadUrl: url })).document);
    // A client that resumes a complete upload must still get the id of the document.
    await expectDocument((await uploadWith({ uploadUrl: url })).document);
  });
});
