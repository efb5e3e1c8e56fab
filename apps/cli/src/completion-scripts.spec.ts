import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Argument, Command, Option } from 'commander';
import { completionScript } from './completion-scripts.js';
import { suggest } from './suggestions.js';

function program(): Command {
  const ats = new Command('ats');
  ats.command('get').description("Show it's value: now").option('--all', 'all');
  ats.command('topics').command('test').option('--event <id>');
  return ats;
}

test('zsh and fish show descriptions with any characters', () => {
  expect(completionScript(program(), 'zsh')).toContain(`'get:Show it'\\''s value: now'`);
  const fish = completionScript(program(), 'fish');
  expect(fish).toContain(`complete -c ats -n '__ats_in ' -f -a get -d 'Show it\\'s value: now'`);
  expect(fish).toContain(`complete -c ats -n '__ats_in topics test' -l event`);
});

/** Returns a program whose arguments and options have known values. */
function programWithValues(): Command {
  const ats = new Command('ats').option('--json', 'print JSON');
  ats
    .command('get')
    .alias('list')
    .addArgument(suggest(new Argument('<resource>'), ['candidates', 'users']))
    .argument('[id]');
  ats
    .command('export')
    .addOption(new Option('--format <format>').choices(['csv', 'ndjson']))
    .option('--output <file>')
    .option('--quiet', 'show no progress');
  ats.command('topics').command('test').option('--event <id>');
  ats.command('completion').addArgument(new Argument('<shell>').choices(['bash', 'zsh']));
  return ats;
}

/** Words of a command line, and the words that complete the last one. */
const COMPLETED: readonly (readonly [words: readonly string[], expected: string])[] = [
  [['get', 'ca'], 'candidates'],
  [['list', 'ca'], 'candidates'],
  [['get', '--json', 'ca'], 'candidates'],
  [['get', ''], 'candidates users --help'],
  [['get', 'candidates', ''], '--help'],
  [['export', '--format', ''], 'csv ndjson'],
  [['export', 'users', '--format', 'n'], 'ndjson'],
  [['export', '--output', ''], ''],
  [['export', '--format', 'csv', '--o'], '--output'],
  [['completion', ''], 'bash zsh --help'],
  [[''], 'get export topics completion --json --help'],
  [['topics', ''], 'test --help'],
  [['topics', 'test', ''], '--event --help'],
  [['topics', 'test', '--event', '7', ''], '--event --help'],
  [['--json', 'topics', ''], 'test --help'],
  [['--json', 'get', 'ca'], 'candidates'],
  [['export', '--format', 'csv', ''], '--format --output --quiet --help'],
  [['export', '--quiet', '--format', ''], 'csv ndjson'],
  [['export', '--format', '=', 'n'], 'ndjson'],
  [['export', '--format', '='], 'csv ndjson'],
  [['export', '--output', 'topics', '--f'], '--format'],
  [['get', 'topics', ''], '--help'],
];

test.each(COMPLETED)('bash completes %j with %j', (words, expected) => {
  const script = `${completionScript(programWithValues(), 'bash')}
    COMP_WORDS=(ats "$@"); COMP_CWORD=$#; _ats; echo "\${COMPREPLY[*]}"`;
  expect(execFileSync('bash', ['--norc', '-c', script, '-', ...words], { encoding: 'utf8' }).trim()).toBe(expected);
});

/** Makes a test that needs a shell. Without the shell it is skipped. */
const inShell = (shell: string): typeof test.skip => {
  if (spawnSync(shell, ['--version']).error === undefined) return test;
  console.log(`skipped, the completion of ${shell} was not run, because this machine has no ${shell}`);
  return test.skip;
};

/** Completes the lines in an interactive zsh, and prints each one. */
const ZSH = `
  zmodload zsh/zpty
  zpty shell zsh -f -i
  zpty -w shell "autoload -Uz compinit; compinit -u -D; source $1"
  zpty -w shell 'show() { print -r -- "<$BUFFER>" }; zle -N show; bindkey "^X" show; print STA""RTED'
  zpty -r shell out '*STARTED*'
  for typed in $@[2,-1]; do
    zpty -w -n shell $'\\x15'"$typed"$'\\t\\x18'
    zpty -r shell out '*<*>*'
    print -r -- "\${\${out##*<}%%>*}"
  done`;

inShell('zsh')('zsh completes commands, options and values', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zsh-'));
  try {
    const script = join(folder, '_ats');
    writeFileSync(script, completionScript(programWithValues(), 'zsh'));
    const typed = [
      ...['ats e', 'ats get ca', 'ats get --json u', 'ats export --format n', 'ats export --o', 'ats none'],
      ...[
        'ats --json topics t',
        'ats export --format csv --q',
        'ats export --output topics --f',
        'ats export --format=n',
      ],
    ];
    const shown = execFileSync('zsh', ['-f', '-c', ZSH, '-', script, ...typed], { encoding: 'utf8', timeout: 60_000 });
    expect(shown.trim().split(/ *\n/)).toEqual([
      'ats export',
      'ats get candidates',
      'ats get --json users',
      'ats export --format ndjson',
      'ats export --output',
      'ats none',
      'ats --json topics test',
      'ats export --format csv --quiet',
      'ats export --output topics --format',
      'ats export --format=ndjson',
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

inShell('fish')('fish completes commands, options and values', () => {
  const nested = program();
  const completed = (ats: Command, line: string): readonly string[] => {
    const script = `${completionScript(ats, 'fish')}complete -C $argv[1]`;
    const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', script, '--', line], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.split('\n').flatMap((text) => text.split('\t')[0] ?? []);
  };
  expect(completed(nested, 'ats t')).toEqual(['topics', '']);
  expect(completed(nested, 'ats topics ')).toEqual(['test', '']);
  expect(completed(nested, 'ats topics test --e')).toEqual(['--event', '']);
  const withValues = programWithValues();
  expect(completed(withValues, 'ats get ca')).toEqual(['candidates', '']);
  expect(completed(withValues, 'ats get --json ca')).toEqual(['candidates', '']);
  expect(completed(withValues, 'ats export users --format ')).toEqual(['csv', 'ndjson', '']);
  expect(completed(withValues, 'ats completion z')).toEqual(['zsh', '']);
  expect(completed(withValues, 'ats --json topics ')).toEqual(['test', '']);
  expect(completed(withValues, 'ats --json get ca')).toEqual(['candidates', '']);
  expect(completed(withValues, 'ats get users ca')).not.toContain('candidates');
  expect(completed(withValues, 'ats export --format csv --q')).toEqual(['--quiet', '']);
  expect(completed(withValues, 'ats export --output topics --f')).toEqual(['--format', '']);
  expect(completed(withValues, 'ats export --format=n')).toEqual(['--format=ndjson', '']);
});

test('zsh and fish complete known values', () => {
  const zsh = completionScript(programWithValues(), 'zsh');
  expect(zsh).toContain(`'get 0') next=('candidates' 'users' '--help:show help for the command') ;;`);
  expect(zsh).toContain(`'export --format') next=('csv' 'ndjson') ;;`);
  const fish = completionScript(programWithValues(), 'fish');
  expect(fish).toContain(`complete -c ats -n '__ats_first get' -f -a 'candidates users'`);
  expect(fish).toContain(`complete -c ats -n '__ats_in export' -l format -x -a 'csv ndjson' -d`);
  expect(fish).toContain(`complete -c ats -n '__ats_in export' -l output -r -d`);
});
