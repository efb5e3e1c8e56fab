import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { completionScript } from './completion-scripts.js';

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
