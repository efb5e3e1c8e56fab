import { expect, test } from '@jest/globals';
import { type Applications, type StateMove } from './index.js';

type State = Applications['process_state']['state'];

test('the types of states offer those that came with the service, and accept others', () => {
  // A plain `string` has no such member, and editors would offer nothing. The compiler then refuses these lines.
  const offered: Extract<State, 'interview'> = 'interview';
  const written: Extract<StateMove['state'], 'interview'> = 'interview';
  const own: State = 'reference_check';
  const move: StateMove = { state: own };
  expect([offered, written, move.state]).toEqual(['interview', 'interview', 'reference_check']);
});
