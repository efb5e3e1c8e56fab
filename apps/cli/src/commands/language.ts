import { readFileSync, writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { type Context, print, readAll } from '../context.js';
import { AlreadyShown, EXIT, UsageError } from '../errors.js';
import { EVENT_TYPES, ROOTS } from '../known-values.js';
import { type ModelOptions } from '../language/model.js';
import { suggest } from '../suggestions.js';

const withModel = (command: Command): Command =>
  command
    .option('--model <file>', 'a model that `ats model` wrote; without it, the model of the service')
    .addOption(
      suggest(new Option('--root <name>', 'the object with which datapaths begin, such as application'), ROOTS),
    )
    .addOption(
      suggest(
        new Option(
          '--event-type <type>',
          'the event type of the topic, such as STATE_CHANGE_APPLICATION: sets the root, and allows CHANGED and WAS where topics of the type do',
        ),
        EVENT_TYPES,
      ),
    );

/** Adds `ats check`, `ats lsp` and `ats model`. They load the expression language only when they run. */
export function addLanguage(program: Command, context: Context): void {
  withModel(program.command('check'))
    .description('Check files, each with one expression')
    .argument('<files...>', 'the files; - is the standard input')
    .action(async (files: readonly string[], options: ModelOptions, command: Command) => {
      const [{ loadLanguage }, { check, checkText }] = await Promise.all([
        import('../language/model.js'),
        import('../language/check.js'),
      ]);
      const texts = await Promise.all(
        files.map(async (file) => ({ file, text: withoutBom(await readFile(file, context)) })),
      );
      const service = await loadLanguage(context, options);
      const found = texts.flatMap(({ file, text }) => check(service, file, text));
      print(context, command, found, () => texts.map(({ file, text }) => checkText(service, file, text)).join(''));
      if (found.length > 0) throw new AlreadyShown(EXIT.failure);
    });

  withModel(program.command('lsp'))
    .description('Serve an editor by the language server protocol over the standard input and output')
    .option('--stdio', 'use standard input and output, as always; editors pass this option')
    .action(async (options: ModelOptions) => {
      const [{ loadLanguage }, { kept }, { serveEditor }] = await Promise.all([
        import('../language/model.js'),
        import('../language/kept.js'),
        import('../language/server.js'),
      ]);
      const language = kept(() => loadLanguage(context, options));
      await language(); // Reports a wrong option at the start, before the editor sends its first request.
      await serveEditor(language, context.stdin, context.stdout);
    });

  program
    .command('model')
    .description('Write the model of the expression language to a file, for check and lsp without a service')
    .argument('<file>', 'the file to write')
    .action(async (file: string) => {
      const { readModel } = await import('../language/model.js');
      const model = await readModel(context);
      writeFile(file, `${JSON.stringify(model)}\n`);
      context.stderr.write(`Wrote ${model.entries.length} datapaths of ${model.roots.length} roots to ${file}\n`);
    });
}

/** Removes the byte order mark, which editors on Windows put before the expression. */
const withoutBom = (text: string): string => text.replace(/^\ufeff/, '');

function writeFile(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

async function readFile(file: string, context: Context): Promise<string> {
  if (file === '-') return readAll(context);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
