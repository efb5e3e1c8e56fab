import { expect, it } from '@jest/globals';
import { submitOnce } from './submit-once.js';

it('a second submit is ignored until the first one has its answer', async () => {
  const answers: (() => void)[] = [];
  const submit = submitOnce(() => new Promise<void>((resolve) => void answers.push(resolve)));
  const first = submit(new Event('submit'));
  const second = new Event('submit', { cancelable: true });
  await submit(second);
  expect(second.defaultPrevented).toBe(true);
  expect(answers).toHaveLength(1);
  answers[0]?.();
  await first;
  void submit(new Event('submit'));
  expect(answers).toHaveLength(2);
});

it('a failed submit can be repeated', async () => {
  let count = 0;
  const submit = submitOnce(() => {
    count += 1;
    return Promise.reject(new Error('refused'));
  });
  await expect(submit(new Event('submit'))).rejects.toThrow('refused');
  await expect(submit(new Event('submit'))).rejects.toThrow('refused');
  expect(count).toBe(2);
});
