import { describe, expect, it } from '@jest/globals';
import { verify, verifyStandardWebhook } from '@ats/webhook-signing';
import { messageHeaders } from './message-headers.js';

const sentAt = new Date('2026-11-21T09:00:00.750Z');
const body = '{"message_id":"01a20060-9395-7497-82ae-fe4e05793b52"}';
const message = {
  messageId: '01a20060-9395-7497-82ae-fe4e05793b52',
  sequence: 41,
  attempt: 3,
  type: 'POSTING_UPDATE',
  body,
};
const common = { body, toleranceSeconds: 0, now: new Date('2026-11-21T09:00:00Z') };

describe('messageHeaders', () => {
  it('contains attempt, sequence, time in seconds, and both signatures: x-service-notify and standard', () => {
    const { sent: headers } = messageHeaders(message, { current: 'old', next: null }, { sentAt });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-notify-attempt': '3',
      'x-service-notify-sequence': '41',
      'x-service-notify-type': 'POSTING_UPDATE',
      'webhook-id': message.messageId,
      'webhook-timestamp': '1795251600',
    });
    verify({ ...common, headers, keys: ['old'] });
    verifyStandardWebhook({ ...common, headers, keys: ['old'] });
    expect(Object.keys(headers)).not.toContain('x-service-notify-signature-next');
  });

  it('contains signatures of both keys while a key is being replaced', () => {
    const { sent: headers } = messageHeaders(
      message,
      { current: 'old', next: { key: 'new', fromDt: new Date('2026-11-22T09:00:00Z') } },
      { sentAt },
    );
    // `verify` returns the index of the key for which the first header is valid. Here this is the old key.
    expect(verify({ ...common, headers, keys: ['new', 'old'] }).keyIndex).toBe(1);
    for (const key of ['old', 'new']) {
      verify({ ...common, headers, keys: [key] });
      verifyStandardWebhook({ ...common, headers, keys: [key] });
    }
  });

  it('contains custom headers, which replace no header of the service and whose values are not logged', () => {
    const keys = { current: 'old', next: null };
    const plain = messageHeaders(message, keys, { sentAt });
    const own = Object.fromEntries(Object.keys(plain.sent).map((name) => [name, 'of a client']));
    const { sent, logged } = messageHeaders(message, keys, { sentAt, custom: { ...own, 'x-api-key': 'secret' } });
    expect(sent).toEqual({ ...plain.sent, 'x-api-key': 'secret' });
    expect(logged).toEqual({ ...plain.logged, 'x-api-key': '***' });
    expect(plain.logged).toEqual(plain.sent);
  });
});
