import { declareProcess, readEnvironment } from '@ats/configuration';
import { describe, expect, it } from '@jest/globals';
import { type MailEnvironment, mailVariables } from './mail-variables.js';

const read = (environment: Readonly<Record<string, string>>): MailEnvironment =>
  readEnvironment(declareProcess({ name: 'test', about: '', variables: mailVariables }), environment);

describe('mailVariables', () => {
  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, isSecure: false, login: null }],
    ['smtps://mail.example.com/', { host: 'mail.example.com', port: 465, isSecure: true, login: null }],
    ['smtp://127.0.0.1:2525', { host: '127.0.0.1', port: 2525, isSecure: false, login: null }],
    ['smtp://[::1]:25', { host: '::1', port: 25, isSecure: false, login: null }],
    [
      'smtps://me%40example.com:p%40ss%2Fw%C3%B6rd@mail.example.com',
      { host: 'mail.example.com', port: 465, isSecure: true, login: { user: 'me@example.com', password: 'p@ss/wörd' } },
    ],
    ['smtp://bücher.example', { host: 'xn--bcher-kva.example', port: 587, isSecure: false, login: null }],
    ['smtp://mail_server.:25', { host: 'mail_server.', port: 25, isSecure: false, login: null }],
  ])('reads the SMTP_URL %s', (url, server) => {
    expect(read({ SMTP_URL: url }).SMTP_URL).toEqual(server);
  });

  it.each([
    ['jobs@example.com', { name: '', address: 'jobs@example.com' }],
    ['"Büro, Süd" <jobs@example.com>', { name: 'Büro, Süd', address: 'jobs@example.com' }],
    ['Jobs at Example <jobs@example.com>', { name: 'Jobs at Example', address: 'jobs@example.com' }],
  ])('reads the MAIL_FROM %s', (text, address) => {
    expect(read({ MAIL_FROM: text }).MAIL_FROM).toEqual(address);
  });

  it.each([
    ['https://jobs.example.com/welcome', 'https://jobs.example.com/welcome'],
    ['https://jobs.example.com', 'https://jobs.example.com/'],
    ['http://localhost:8080/activate?lang=de', 'http://localhost:8080/activate?lang=de'],
  ])('reads the ACTIVATION_URL %s', (text, url) => {
    expect(read({ ACTIVATION_URL: text }).ACTIVATION_URL).toBe(url);
  });

  it('are optional, and the default schedule lasts three days', () => {
    const { SMTP_URL, MAIL_FROM, MAIL_SCHEDULE, ACTIVATION_URL } = read({});
    expect([SMTP_URL, MAIL_FROM, ACTIVATION_URL]).toEqual([undefined, undefined, undefined]);
    const hours = MAIL_SCHEDULE.reduce((sum, seconds) => sum + seconds, 0) / 3_600;
    expect(hours).toBeGreaterThan(72);
    expect(hours).toBeLessThan(80);
  });

  it.each([
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['SMTP_URL', 'smtp:///inbox'],
    ['SMTP_URL', 'smtp://a%20b'],
    ['SMTP_URL', 'smtp://ex%00a'],
    ['SMTP_URL', 'smtp://h,h2'],
    ['SMTP_URL', 'smtp://-h.example'],
    ['SMTP_URL', 'smtp://user@mail.example.com'],
    ['SMTP_URL', 'smtp://:secret@mail.example.com'],
    ['SMTP_URL', 'smtp://user:100%@mail.example.com'],
    ['SMTP_URL', 'smtp://mail.example.com:70000'],
    ['SMTP_URL', 'smtp://mail.example.com/?tls.rejectUnauthorized=false'],
    ['SMTP_URL', 'smtp://mail.example.com/inbox'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['MAIL_FROM', 'us: a@example.com;'],
    ['MAIL_FROM', 'a@example.com\r\nBcc: b@example.com'],
    ['ACTIVATION_URL', 'jobs.example.com/activate'],
    ['ACTIVATION_URL', 'javascript:alert(1)'],
    ['ACTIVATION_URL', 'https://user:secret@jobs.example.com/'],
    ['ACTIVATION_URL', 'https://jobs.example.com/#activate'],
    ['MAIL_SCHEDULE', '60,'],
    ['MAIL_SCHEDULE', 'soon'],
  ])('rejects %s with the value %j, and does not repeat the value in the error', (variable, value) => {
    const message = (): unknown => read({ [variable]: value });
    expect(message).toThrow(new RegExp(`^wrong environment:\n  ${variable}: must be [^\n]*$`));
    expect(message).not.toThrow(value);
  });
});
