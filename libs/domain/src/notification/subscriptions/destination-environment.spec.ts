import { declareProcess, readEnvironment } from '@ats/configuration';
import { describe, expect, it } from '@jest/globals';
import { destinationGuard, destinationVariables } from './destination-environment.js';

const read = (environment: Readonly<Record<string, string>>) =>
  readEnvironment(declareProcess({ name: 'test', about: '', variables: destinationVariables }), environment);

describe('the environment of destinations', () => {
  it('allows only public addresses over https by default', () => {
    const guard = destinationGuard(read({}));
    expect(guard.check('https://8.8.8.8/').host).toBe('8.8.8.8');
    for (const url of ['http://8.8.8.8/', 'https://10.20.0.1/', 'https://127.0.0.1/'])
      expect(() => guard.check(url)).toThrow();
  });

  it('allows NOTIFIER_ALLOW_CIDRS and refuses NOTIFIER_REFUSE_CIDRS', () => {
    const guard = destinationGuard(
      read({ NOTIFIER_ALLOW_CIDRS: '10.20.0.0/16, fd12::/16', NOTIFIER_REFUSE_CIDRS: '8.8.8.0/24' }),
    );
    for (const url of ['https://10.20.0.1/', 'https://[fd12::1]/']) expect(guard.check(url)).toBeInstanceOf(URL);
    for (const url of ['https://10.21.0.1/', 'https://8.8.8.8/', 'https://169.254.169.254/'])
      expect(() => guard.check(url)).toThrow();
  });

  it.each([
    ['NOTIFIER_ALLOW_CIDRS', 'ten'],
    ['NOTIFIER_ALLOW_CIDRS', '10.0.0.0/8,'],
    ['NOTIFIER_REFUSE_CIDRS', '10.0.0.0'],
    ['NOTIFIER_REFUSE_CIDRS', '10.0.0.0/33'],
    ['NOTIFIER_DNS_SERVERS', 'ns.example.com'],
    ['NOTIFIER_DNS_SERVERS', '127.0.0.1:99999'],
  ])('rejects %s = %j with an error that names the variable but not its value', (variable, value) => {
    const message = (): unknown => read({ [variable]: value });
    expect(message).toThrow(new RegExp(`^wrong environment:\n  ${variable}: must be [^\n]*$`));
    expect(message).not.toThrow(value);
  });

  it.each(['127.0.0.1', '127.0.0.1:5353', '[::1]:5353', '10.0.0.1, 10.0.0.2'])(
    'accepts %j as name servers',
    (value) => {
      expect(read({ NOTIFIER_DNS_SERVERS: value }).NOTIFIER_DNS_SERVERS).toEqual(value.split(', '));
    },
  );
});
