import { describe, expect, it } from '@jest/globals';
import { answered, ats } from '../test/run-command.js';

describe('an address that ats cannot use', () => {
  it.each([['http://me:s3cret@localhost:3000'], ['http://localhost:3000?x=1'], ['http://localhost:3000#y']])(
    '%s is refused without being quoted, because it may contain a password',
    async (url) => {
      const { code, stderr } = await ats(['login', '--url', url], { token: 'x' });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^The address must have no user, /) });
      expect(stderr).not.toContain('s3cret');
    },
  );

  it.each([['localhost:3000'], ['ats.example.com'], ['ftp://ats.example.com']])('%s is refused', async (url) => {
    const refused = { code: 2, stderr: expect.stringContaining('is not an address such as https://') };
    expect(await ats(['login', '--url', url], { token: 'x' })).toMatchObject(refused);
    expect(await ats(['get', 'candidates'], { url, token: 'x' })).toMatchObject(refused);
  });

  it('is refused by login when another kind of server answers', async () => {
    for (const [status, body] of [
      [404, {}],
      [200, []],
    ] as const) {
      const { code, stderr } = await answered(status, body, ['login']);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('not an applicant tracking service'),
      });
    }
  });

  it('is named in the error when ATS_URL has it and there is no token for it', async () => {
    const { code, stderr } = await ats(['get', 'candidates'], { url: 'http://127.0.0.1:1' });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('no login for http://127.0.0.1:1') });
  });
});
