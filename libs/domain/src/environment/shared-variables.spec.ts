import { describe, expect, it } from '@jest/globals';
import { sharedVariables } from './shared-variables.js';

const { schema } = sharedVariables.PUBLIC_BASE_URL;

describe('PUBLIC_BASE_URL', () => {
  it.each([
    ['https://ats.example.com//', 'https://ats.example.com'],
    ['http://localhost:3000/recruiting/', 'http://localhost:3000/recruiting'],
    ['https://bewerbung.müller.example/über', 'https://bewerbung.xn--mller-kva.example/%C3%BCber'],
  ])('accepts %s', (text, value) => {
    expect(schema.parse(text)).toBe(value);
  });

  it.each([
    'https://me:secret@ats.example.com',
    'https://me@ats.example.com',
    'https://ats.example.com/?x',
    'https://ats.example.com?',
    'https://ats.example.com/#a',
  ])('rejects %s, because the address is public and paths follow it', (text) => {
    expect(schema.safeParse(text).error?.issues[0]?.message).toBe('must have no user, no password, no ? and no #');
  });
});
