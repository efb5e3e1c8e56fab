import { type Command } from 'commander';

/** The words that may follow a command: its subcommands and its options. */
interface Words {
  /** The names of the command without `ats`. The list is empty for `ats` itself. */
  readonly command: string;
  readonly next: readonly { readonly word: string; readonly text: string }[];
}

function wordsOf(command: Command, path: readonly string[] = []): readonly Words[] {
  const next = [
    ...command.commands.map((one) => ({ word: one.name(), text: one.description() })),
    ...command.options.map(({ long, short, description }) => ({ word: long ?? short ?? '', text: description })),
    { word: '--help', text: 'show help for the command' },
  ];
  return [{ command: path.join(' '), next }, ...command.commands.flatMap((one) => wordsOf(one, [...path, one.name()]))];
}

const SCRIPTS = { bash, zsh, fish };

/** Returns a completion script for a shell. The script contains all words, so that a completion needs no process. */
export const completionScript = (program: Command, shell: keyof typeof SCRIPTS): string =>
  SCRIPTS[shell](wordsOf(program));

/** Writes one `case` of the shell for each command. The shell variable `words` has the words before the cursor. */
const cases = (all: readonly Words[], line: (words: Words) => string): string =>
  [...all]
    .sort((one, other) => other.command.length - one.command.length)
    .map((words) => `    ${words.command === '' ? '*' : `"${words.command}"|"${words.command} "*`}) ${line(words)} ;;`)
    .join('\n');

function bash(all: readonly Words[]): string {
  return `# Completion of ats for bash: source <(ats completion bash)
_ats() {
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words
  case "$typed" in
${cases(all, ({ next }) => `words="${next.map(({ word }) => word).join(' ')}"`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _ats ats
`;
}

/** Quotes a word and its description for zsh, with a colon between them. */
const zshItem = ({ word, text }: { word: string; text: string }): string =>
  `'${`${word}:${text}`.replaceAll("'", "'\\''")}'`;

function zsh(all: readonly Words[]): string {
  return `#compdef ats
# Completion of ats for zsh: source <(ats completion zsh)
_ats() {
  local typed="\${(j: :)words[2,CURRENT-1]}"
  local -a next
  case "$typed" in
${cases(all, ({ next }) => `next=(${next.map(zshItem).join(' ')})`)}
  esac
  _describe 'ats' next || _files
}
compdef _ats ats
`;
}

function fish(all: readonly Words[]): string {
  const lines = all.flatMap(({ command, next }) =>
    next.map(({ word, text }) => {
      const when = command === '' ? '__fish_use_subcommand' : `__ats_typed ${command}`;
      const given = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c ats -n '${when}' ${given} -d '${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
    }),
  );
  return `# Completion of ats for fish: ats completion fish | source
function __ats_typed
  set -l typed (commandline -opc)[2..-1]
  test (count $typed) -ge (count $argv); and test "$typed[1..(count $argv)]" = "$argv"
end
${lines.join('\n')}
`;
}
