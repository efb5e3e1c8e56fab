import { Argument, type Command } from 'commander';
import { completionScript } from '../completion-scripts.js';
import { type Context } from '../context.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Adds `ats completion`. It prints a shell script that completes commands and options. */
export const addCompletion = (program: Command, { stdout }: Context): Command =>
  program
    .command('completion')
    .description('Print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) => void stdout.write(completionScript(program, shell)));
