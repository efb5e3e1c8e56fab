import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { endOnLostOutput } from './lost-output.js';

function started() {
  const [codes, texts]: [number[], string[]] = [[], []];
  const output = () => Object.assign(new EventEmitter(), { write: (text: string) => texts.push(text) > 0 });
  const [stdout, stderr] = [output(), output()];
  endOnLostOutput({
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    exit: (code) => void codes.push(code),
  });
  return { stdout, stderr, codes, texts };
}
const failure = (code: string): Error => Object.assign(new Error(`write ${code}`), { code });

test.each(['stdout', 'stderr'] as const)('the process exits with 141 when the reader of %s ends first', (name) => {
  const { codes, texts, ...streams } = started();
  streams[name].emit('error', failure('EPIPE'));
  expect({ codes, texts }).toEqual({ codes: [141], texts: [] });
});

test('the process reports an error when its output cannot be written', () => {
  const { stdout, stderr, codes, texts } = started();
  stdout.emit('error', failure('ENOSPC'));
  stderr.emit('error', failure('ENOSPC'));
  expect({ codes, texts }).toEqual({ codes: [1, 1], texts: ['The output cannot be written: write ENOSPC\n'] });
});
