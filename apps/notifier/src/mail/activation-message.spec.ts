import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '@ats/domain';
import { plainTextWithLinks } from '@ats/rich-text';
import { activationMessage, type ActivationWords } from './activation-message.js';

const words = (changes: Partial<ActivationWords> = {}): ActivationWords => ({
  link: 'https://jobs.example.com/welcome?from=mail&token=abc',
  languages: [null, 'en'],
  systemName: 'Jobs at <Example> & Sons',
  expires: new Date('2026-11-29T11:09:00Z'),
  timeZone: 'Europe/Berlin',
  ...changes,
});

describe('activationMessage', () => {
  it('names the system, the link and its expiry', () => {
    const { subject, body } = activationMessage(words());
    expect(subject).toBe('Activate your account: Jobs at <Example> & Sons');
    expect(body).toContain(
      '<a href="https://jobs.example.com/welcome?from=mail&amp;token=abc">Activate your account</a>',
    );
    expect(body).not.toContain('<Example>');
    expect(plainTextWithLinks(body)).toBe(
      `An account was created for you at Jobs at <Example> & Sons, with this e-mail address. To activate it, follow this link and press the button there:

Activate your account <https://jobs.example.com/welcome?from=mail&token=abc>

The link works once, until November 29, 2026 at 12:09 PM GMT+1.

If you did not expect this e-mail, you need not do anything: without the link the account is not activated.`,
    );
  });

  it('uses the first preferred language that is supported, with different texts for each language', () => {
    const bodies = LANGUAGES.map((language) => activationMessage(words({ languages: [language, 'en'] })));
    expect(new Set(bodies.map(({ subject }) => subject)).size).toBe(LANGUAGES.length);
    const paragraphs = bodies.flatMap(({ body }) => body.split('\n'));
    expect(new Set(paragraphs).size).toBe(LANGUAGES.length * 4);
    expect(bodies.map(({ body }) => /^<div lang="(\w+)" dir="(\w+)">/.exec(body)?.slice(1).join(' '))).toEqual([
      'en ltr',
      'de ltr',
      'fr ltr',
      'es ltr',
      'ar rtl',
    ]);
    expect(activationMessage(words({ languages: ['nl', 'de'] }))).toEqual(
      activationMessage(words({ languages: ['de', 'en'] })),
    );
  });

  it('writes the expiry in UTC when the time zone of the system is unknown', () => {
    expect(activationMessage(words({ timeZone: 'Mars/Olympus_Mons' })).body).toContain('11:09 AM UTC');
  });
});
