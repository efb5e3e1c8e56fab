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
  const below = command.commands.flatMap((one) =>
    [one.name(), ...one.aliases()].flatMap((name) => wordsOf(one, [...path, name])),
  );
  return [words, ...below];
}

const SCRIPTS = { bash, zsh, fish };

/** Returns a completion script for a shell. The script contains all words, so that a completion needs no process. */
export const completionScript = (program: Command, shell: keyof typeof SCRIPTS): string =>
  SCRIPTS[shell](wordsOf(program));

const plain = (word: string): Word => ({ word, text: '' });

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Returns the names of all commands with the command above each one, such as ` topics` and `topics test`. */
const steps = (all: readonly Words[]): readonly string[] =>
  all.filter(({ command }) => command !== '').map(({ command }) => (command.includes(' ') ? command : ` ${command}`));

/** Returns the options that take a value, each behind its command. */
const optionsWithValue = (all: readonly Words[]): readonly string[] =>
  all.flatMap(({ command, values }) => values.map(({ option }) => `${command} ${option}`));

/**
 * Writes the statements of bash and zsh that read the words before the cursor. They set the variables `command`,
 * `option` (the last word, when it is an option whose value is missing) and `arguments` (their number).
 */
const readWords = (all: readonly Words[], typed: string): string => `
  local word command= option= arguments=0
  for word in ${typed}; do
    if [[ -n $option ]]; then
      [[ $word = '=' ]] || option=
      continue
    fi
    case "$command $word" in
      ${steps(all).map(quoted).join('|') || "''"}) command="\${command:+$command }$word" ;;
      ${optionsWithValue(all).map(quoted).join('|') || "''"}) option=$word ;;
      *) [[ $word = -* ]] || arguments=$((arguments + 1)) ;;
    esac
  done`;

/** Writes the cases of bash and zsh: the value of an option, the first argument, and everything else. */
const cases = (all: readonly Words[], line: (words: readonly Word[]) => string): string => `
  case "$command \${option:-$arguments}" in
${[...all]
  // The case of `topics` would also match `topics test`, so longer commands come first.
  .sort((one, other) => other.command.length - one.command.length)
  .flatMap(({ command, next, first, values }) => [
    ...values.map(({ option, words }) => `${quoted(`${command} ${option}`)}) ${line(words.map(plain))}`),
    ...(first.length > 0 ? [`${quoted(`${command} 0`)}) ${line([...first.map(plain), ...next])}`] : []),
    `${quoted(`${command} `)}*) ${line(next)}`,
  ])
  .map((one) => `    ${one} ;;`)
  .join('\n')}
  esac`;

function bash(all: readonly Words[]): string {
  return `# Completion of ats for bash: source <(ats completion bash)
_ats() {
  local words= current="\${COMP_WORDS[COMP_CWORD]}"${readWords(all, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  [[ $current = '=' ]] && current=${cases(all, (words) => `words=${quoted(words.map(({ word }) => word).join(' '))}`)}
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _ats ats
`;
}

/** Quotes a word and its description for zsh, with a colon between them. */
const zshItem = ({ word, text }: Word): string => quoted(text === '' ? word : `${word}:${text}`);

function zsh(all: readonly Words[]): string {
  return `#compdef ats
# Completion of ats for zsh: source <(ats completion zsh)
_ats() {
  local -a next${readWords(all, '"${(@)words[2,CURRENT-1]}"')}
  if [[ $PREFIX = --*=* ]]; then
    option="\${PREFIX%%=*}"
    compset -P '*='
  fi${cases(all, (words) => `next=(${words.map(zshItem).join(' ')})`)}
  _describe 'ats' next || _files
}
compdef _ats ats
`;
}

function fish(all: readonly Words[]): string {
  const lines = all.flatMap(({ command, next, first, values }) => [
    ...(first.length > 0 ? [`complete -c ats -n '__ats_first ${command}' -f -a '${first.join(' ')}'`] : []),
    ...next.map(({ word, text }) => {
      const given = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      const value = values.find(({ option }) => option === word);
      const choices = value && (value.words.length > 0 ? ` -x -a '${value.words.join(' ')}'` : ' -r');
      const shown = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
      return `complete -c ats -n '__ats_in ${command}' ${given}${choices ?? ''} -d '${shown}'`;
    }),
  ]);
  return `# Completion of ats for fish: ats completion fish | source
function __ats_words --description 'Prints the typed command, then the number of its arguments'
  set -l command
  set -l option
  set -l arguments 0
  for word in (commandline -opc)[2..-1]
    if test -n "$option"
      set option
      continue
    end
    switch "$command $word"
      case ${steps(all).map(quoted).join(' ')}
        set command (string trim "$command $word")
      case ${optionsWithValue(all).map(quoted).join(' ') || "''"}
        set option $word
      case '*'
        string match -q -- '-*' $word; or set arguments (math $arguments + 1)
    end
  end
  echo "$command"
  echo $arguments
end
function __ats_in
  set -l typed (__ats_words)
  test "$typed[1]" = "$argv"
end
function __ats_first
  set -l typed (__ats_words)
  test "$typed" = "$argv 0"
end
${lines.join('\n')}
`;
}
