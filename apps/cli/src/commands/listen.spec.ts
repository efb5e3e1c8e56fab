import { describe, expect, it } from '@jest/globals';
import { answeredInTurn } from '../../test/run-command.js';

describe('ats listen without --endpoint', () => {
  const listen = (answers: readonly (readonly [number, object])[]) =>
    answeredInTurn(answers, ['listen', '--forward-to', 'http://localhost:4000']);

  it('reads the only endpoint', async () => {
    const { paths } = await listen([
      [200, [{ id: 7, name: 'One' }]],
      [404, { message: 'gone' }],
    ]);
    expect(paths).toEqual(['/api/v1/notification_endpoints?per_page=20', '/api/v1/notification_endpoints/7']);
  });

  it('says how to create an endpoint when there is none', async () => {
    const { code, stderr } = await listen([[200, []]]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^There is no notification endpoint\..*\n {2}ats create notification_endpoints /),
    });
  });

  it('lists the endpoints when there are several', async () => {
    const endpoints = [
      { id: 7, name: 'One\u001b' },
      { id: 8, name: null },
    ];
    const { code, stderr } = await listen([[200, endpoints]]);
    expect(code).toBe(2);
    expect(stderr).toContain('\n  --endpoint 7  One\ufffd\n  --endpoint 8\n  ats create notification_endpoints ');
  });
});
