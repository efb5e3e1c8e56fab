import { EXIT } from './errors.js';

type Output = Pick<NodeJS.WriteStream, 'on' | 'write'>;
interface Process {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly exit: (code: number) => void;
}

/** Ends the process when nobody reads its output any more. For example, `head` closes the pipe after some lines. */
export function endOnLostOutput({ stdout, stderr, exit }: Process): void {
  const codeOf = ({ code }: NodeJS.ErrnoException): number => (code === 'EPIPE' ? EXIT.brokenPipe : EXIT.failure);
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') stderr.write(`The output cannot be written: ${error.message}\n`);
    exit(codeOf(error));
  });
  stderr.on('error', (error: NodeJS.ErrnoException) => exit(codeOf(error)));
}
