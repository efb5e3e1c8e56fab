import { execFileSync } from 'node:child_process';
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

test('bash completes the longest command that was typed', () => {
  const lines = completionScript(program(), 'bash').split('\n');
  const words = lines.filter((line) => line.includes(') words=')).map((line) => line.trim());
  expect(words).toEqual([
    '"topics test --event"|"topics test "*" --event") words="" ;;',
    '"topics test"|"topics test "*) words="--event --help" ;;',
    '"topics"|"topics "*) words="test --help" ;;',
    '"get"|"get "*) words="--all --help" ;;',
    '*) words="get topics --help" ;;',
  ]);
});

test('zsh and fish show descriptions, whatever characters these have', () => {
  expect(completionScript(program(), 'zsh')).toContain(`'get:Show it'\\''s value: now'`);
  const fish = completionScript(program(), 'fish');
  expect(fish).toContain(`complete -c ats -n '__fish_use_subcommand' -f -a get -d 'Show it\\'s value: now'`);
  expect(fish).toContain(`complete -c ats -n '__ats_typed topics test' -l event`);
});

/** Returns a program whose arguments and options have known values. */
function programWithValues(): Command {
  const ats = new Command('ats').option('--json', 'print JSON');
  ats
    .command('get')
    .addArgument(suggest(new Argument('<resource>'), ['candidates', 'users']))
    .argument('[id]');
  ats
    .command('export')
    .addOption(new Option('--format <format>').choices(['csv', 'ndjson']))
    .option('--output <file>');
  ats.command('completion').addArgument(new Argument('<shell>').choices(['bash', 'zsh']));
  return ats;
}

test.each([
  [['get', 'ca'], 'candidates'],
  [['get', '--json', 'ca'], 'candidates'],
  [['get', ''], 'candidates users --help'],
  [['get', 'candidates', ''], '--help'],
  [['export', '--format', ''], 'csv ndjson'],
  [['export', 'users', '--format', 'n'], 'ndjson'],
  [['export', '--output', ''], ''],
  [['export', '--format', 'csv', '--o'], '--output'],
  [['completion', ''], 'bash zsh --help'],
])('bash completes %j with %j', (words, expected) => {
  const script = `${completionScript(programWithValues(), 'bash')}
    COMP_WORDS=(ats "$@"); COMP_CWORD=$#; _ats; echo "\${COMPREPLY[*]}"`;
  expect(execFileSync('bash', ['--norc', '-c', script, '-', ...words], { encoding: 'utf8' }).trim()).toBe(expected);
});

test('zsh and fish complete known values', () => {
  const zsh = completionScript(programWithValues(), 'zsh');
  expect(zsh).toContain(`"get"|"get --json") next=('candidates' 'users' '--help:show help for the command') ;;`);
  expect(zsh).toContain(`"export --format"|"export "*" --format") next=('csv' 'ndjson') ;;`);
  const fish = completionScript(programWithValues(), 'fish');
  expect(fish).toContain(`complete -c ats -n '__ats_is get' -f -a 'candidates users'`);
  expect(fish).toContain(`complete -c ats -n '__ats_typed export' -l format -x -a 'csv ndjson' -d`);
  expect(fish).toContain(`complete -c ats -n '__ats_typed export' -l output -r -d`);
});
