import { Command, CommanderError } from 'commander';
import { addChanges } from './commands/changes.js';
import { addExport } from './commands/export.js';
import { addListen } from './commands/listen.js';
import { addLogin } from './commands/login.js';
import { addGet } from './commands/read.js';
import { addWrites } from './commands/write.js';
import { type Context } from './context.js';
import { describeError, exitCodeOf, EXIT } from './errors.js';

declare const ATS_CLI_VERSION: string;

/** The program with all its commands. */
function createProgram(context: Context): Command {
  const program = new Command('ats')
    .description('Use the applicant tracking service from a terminal')
    .version(typeof ATS_CLI_VERSION === 'undefined' ? 'development' : ATS_CLI_VERSION)
    .option('--json', 'print JSON for programs, also for errors')
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
    })
    .exitOverride();
  addLogin(program, context);
  addGet(program, context);
  addWrites(program, context);
  addExport(program, context);
  addChanges(program, context);
  addListen(program, context);
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
    if (!command.options.some(({ long }) => long === '--json')) command.option('--json', 'print JSON for programs');
  }
  return program;
}

/** Runs a command to its end. @returns the exit code */
export async function run(args: readonly string[], context: Context): Promise<number> {
  const program = createProgram(context);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    const isShown = error instanceof CommanderError; // commander printed it already
    if (!isShown) context.stderr.write(`${describeError(error, args.includes('--json'))}\n`);
    return exitCodeOf(error);
  }
}
