import { type Command } from 'commander';
import { suggestionsOf } from './suggestions.js';

interface Word {
  readonly word: string;
  readonly text: string;
}

/** The words with which the shell completes one command. */
interface Words {
  /** The names of the command without `ats`. The list is empty for `ats` itself. */
  readonly command: string;
  /** The subcommands and the options that may follow the command. */
  readonly next: readonly Word[];
  /** The possible values of the command's first argument. */
  readonly first: readonly string[];
  /**
   * The options that take a value, each with its possible values. For an option without possible values, the shell
   * completes files.
   */
  readonly values: readonly { readonly option: string; readonly words: readonly string[] }[];
}

function wordsOf(command: Command, path: readonly string[] = []): readonly Words[] {
  const next = [
    ...command.commands.map((one) => ({ word: one.name(), text: one.description() })),
    ...command.options.map(({ long, short, description }) => ({ word: long ?? short ?? '', text: description })),
    { word: '--help', text: 'show help for the command' },
  ];
  const values = command.options
    .filter(({ required, optional }) => required || optional)
    .map((option) => ({ option: option.long ?? '', words: suggestionsOf(option) }));
  const [argument] = command.registeredArguments;
  const words = { command: path.join(' '), next, first: argument ? suggestionsOf(argument) : [], values };
  return [words, ...command.commands.flatMap((one) => wordsOf(one, [...path, one.name()]))];
}

const SCRIPTS = { bash, zsh, fish };

/** Returns a completion script for a shell. The script contains all words, so that a completion needs no process. */
export const completionScript = (program: Command, shell: keyof typeof SCRIPTS): string =>
  SCRIPTS[shell](wordsOf(program));

const plain = (word: string): Word => ({ word, text: '' });

/**
 * Writes the branches of a shell's `case` statement, which compares `typed`, the words before the cursor. Each command
 * has a branch for the value of each option, one for its first argument, and one for everything else.
 */
const cases = (all: readonly Words[], line: (words: readonly Word[]) => string): string =>
  [...all]
    .sort((one, other) => other.command.length - one.command.length)
    .flatMap(({ command, next, first, values }) => [
      ...values.map(
        ({ option, words }) => `"${command} ${option}"|"${command} "*" ${option}") ${line(words.map(plain))}`,
      ),
      ...(first.length > 0 ? [`"${command}"|"${command} --json") ${line([...first.map(plain), ...next])}`] : []),
      `${command === '' ? '*' : `"${command}"|"${command} "*`}) ${line(next)}`,
    ])
    .map((one) => `    ${one} ;;`)
    .join('\n');

function bash(all: readonly Words[]): string {
  return `# Completion of ats for bash: source <(ats completion bash)
_ats() {
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words
  case "$typed" in
${cases(all, (words) => `words="${words.map(({ word }) => word).join(' ')}"`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _ats ats
`;
}

/** Quotes a word and its description for zsh, with a colon between them. */
const zshItem = ({ word, text }: Word): string =>
  `'${(text === '' ? word : `${word}:${text}`).replaceAll("'", "'\\''")}'`;

function zsh(all: readonly Words[]): string {
  return `#compdef ats
# Completion of ats for zsh: source <(ats completion zsh)
_ats() {
  local typed="\${(j: :)words[2,CURRENT-1]}"
  local -a next
  case "$typed" in
${cases(all, (words) => `next=(${words.map(zshItem).join(' ')})`)}
  esac
  _describe 'ats' next || _files
}
compdef _ats ats
`;
}

function fish(all: readonly Words[]): string {
  const lines = all.flatMap(({ command, next, first, values }) => [
    ...(first.length > 0 ? [`complete -c ats -n '__ats_is ${command}' -f -a '${first.join(' ')}'`] : []),
    ...next.map(({ word, text }) => {
      const when = command === '' ? '__fish_use_subcommand' : `__ats_typed ${command}`;
      const given = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      const value = values.find(({ option }) => option === word);
      const choices = value && (value.words.length > 0 ? ` -x -a '${value.words.join(' ')}'` : ' -r');
      const shown = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
      return `complete -c ats -n '${when}' ${given}${choices ?? ''} -d '${shown}'`;
    }),
  ]);
  return `# Completion of ats for fish: ats completion fish | source
function __ats_typed
  set -l typed (commandline -opc)[2..-1]
  string match -q -- "$argv *" "$typed "
end
function __ats_is
  set -l typed (commandline -opc)[2..-1]
  test "$typed" = "$argv"; or test "$typed" = "$argv --json"
end
${lines.join('\n')}
`;
}
