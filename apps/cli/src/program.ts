import { Command, CommanderError } from 'commander';
import { addChanges } from './commands/changes.js';
import { addCompletion } from './commands/completion.js';
import { addExport } from './commands/export.js';
import { addHelp } from './commands/help.js';
import { addLanguage } from './commands/language.js';
import { addListen } from './commands/listen.js';
import { addLogin, addLogout } from './commands/login.js';
import { addMcp } from './commands/mcp.js';
import { addGet } from './commands/read.js';
import { addTopics } from './commands/topics.js';
import { addTrigger } from './commands/trigger.js';
import { addWrites } from './commands/write.js';
import { type Context } from './context.js';
import { AlreadyShown, describeError, exitCodeOf, EXIT } from './errors.js';
import { hintFor } from './hints.js';
import { forTerminal } from './output.js';

declare const ATS_CLI_VERSION: string;

const MORE_HELP = `
Begin with: ats login --url https://ats.example.com
ATS_URL and ATS_TOKEN take precedence over the stored login.
The guide at /docs/guides/command-line of the service has examples.

Exit codes:
  0  success
  1  the service refused the request, or check found an error
  2  wrong use of the command
  3  no connection`;

/** Returns the program with all its commands. */
function createProgram(context: Context, asJson: boolean): Command {
  const program = new Command('ats')
    .description('Use the applicant tracking service from a terminal')
    .version(typeof ATS_CLI_VERSION === 'undefined' ? 'development' : ATS_CLI_VERSION)
    .option('--json', 'print JSON for programs, also for errors')
    .addHelpText('after', MORE_HELP)
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      // With `--json`, `run` prints the error as JSON, so the text is dropped here.
      writeErr: (text) => void (asJson || context.stderr.write(forTerminal(text))),
    })
    .exitOverride();
  addLogin(program, context);
  addLogout(program, context);
  addGet(program, context);
  addWrites(program, context);
  addExport(program, context);
  addChanges(program, context);
  addListen(program, context);
  addTrigger(program, context);
  addTopics(program, context);
  addLanguage(program, context);
  addMcp(program, context);
  addCompletion(program, context);
  addHelp(program);
  inherit(program, 'ats');
  return program;
}

/**
 * Gives the settings of the program to all commands, and names their help after errors. Commands without subcommands
 * also get the option `--json`.
 */
function inherit(parent: Command, path: string): void {
  parent.showHelpAfterError(`See \`${path} --help\`.`);
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent);
    if (command.commands.length === 0) command.option('--json', 'print JSON for programs');
    inherit(command, `${path} ${command.name()}`);
  }
}

/** Runs a command and waits for its end. @returns the exit code */
export async function run(args: readonly string[], context: Context): Promise<number> {
  const asJson = args.includes('--json');
  const program = createProgram(context, asJson);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (context.signal.aborted) return exitCodeOf(context.signal.reason);
    const code = exitCodeOf(error);
    const isShown = error instanceof CommanderError ? !asJson || code === EXIT.ok : error instanceof AlreadyShown;
    if (!isShown) context.stderr.write(`${describeError(error, asJson)}\n`);
    const hint = asJson ? undefined : await hintFor(error, context.environment);
    if (hint !== undefined) context.stderr.write(`${hint}\n`);
    return code;
  }
}
