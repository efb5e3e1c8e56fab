import { Argument, type Command } from 'commander';
import { suggest } from '../suggestions.js';

/**
 * Adds `ats help`, behind all other commands. Unlike the library's own command, it takes the names of subcommands, and
 * refuses a name that does not exist.
 */
export function addHelp(program: Command): void {
  const names = program.commands.map((command) => command.name());
  program
    .helpCommand(false)
    .command('help')
    .description('Show how to use ats or a command')
    .addArgument(suggest(new Argument('[command...]', 'the names of a command, such as topics test'), names))
    .action(async (path: readonly string[]) => {
      let shown = program;
      for (const name of path) {
        const found = shown.commands.find((command) => [command.name(), ...command.aliases()].includes(name));
        // Lets the library refuse the name. Its error names the most similar command.
        if (found === undefined && shown.commands.length > 0) await shown.parseAsync([name], { from: 'user' });
        shown = found ?? shown;
      }
      shown.help();
    });
}
