import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { describeAsTable, describeForTerminal } from './describe.js';
import { describeAsJson } from './describe-json.js';
import { effectiveTexts, textsInForce } from './effective.js';
import { declareProcess } from './process.js';
import { schemas } from './schemas.js';
import { variable } from './variable.js';

const KEY = variable({ schema: z.string().min(32), description: 'Opens everything.', isSecret: true });
const LEVEL = variable({
  schema: schemas.oneOf(['info', 'debug']),
  description: 'What is logged: `info` | `debug`.',
  default: 'info',
});
const PAGE = variable({
  schema: schemas.serverUrl(['https:']),
  description: 'Where links lead.',
  whenAbsent: 'a page of ours',
  example: 'https://example.com/',
});

const api = declareProcess({ name: 'api', about: 'answers', variables: { KEY, LEVEL } });
const worker = declareProcess({ name: 'worker', about: 'works', variables: { LEVEL, PAGE } });

describe('the description of variables', () => {
  it('is a paragraph for each variable at a terminal', () => {
    expect(describeForTerminal([api, worker])).toBe(`KEY
    Opens everything.
    read by api; required; secret

LEVEL
    What is logged: \`info\` | \`debug\`.
    read by api, worker; default info

PAGE
    Where links lead.
    read by worker; when not set: a page of ours
    for example https://example.com/`);
  });

  it('is a table row for each variable in Markdown', () => {
    expect(describeAsTable([api, worker])).toBe(`| variable | read by | when not set | meaning |
| --- | --- | --- | --- |
| \`KEY\` | api | **required** | Opens everything. *Secret.* |
| \`LEVEL\` | api, worker | \`info\` | What is logged: \`info\` \\| \`debug\`. |
| \`PAGE\` | worker | a page of ours | Where links lead. For example \`https://example.com/\`. |`);
  });

  it('is an object with a JSON Schema for each variable in JSON', () => {
    expect(describeAsJson([api, worker])).toEqual({
      processes: [
        { name: 'api', about: 'answers', variables: ['KEY', 'LEVEL'] },
        { name: 'worker', about: 'works', variables: ['LEVEL', 'PAGE'] },
      ],
      variables: [
        {
          name: 'KEY',
          description: 'Opens everything.',
          isRequired: true,
          isSecret: true,
          readBy: ['api'],
          schema: { type: 'string', minLength: 32 },
        },
        {
          name: 'LEVEL',
          description: 'What is logged: `info` | `debug`.',
          isRequired: false,
          isSecret: false,
          default: 'info',
          readBy: ['api', 'worker'],
          schema: { type: 'string', enum: ['info', 'debug'] },
        },
        {
          name: 'PAGE',
          description: 'Where links lead.',
          isRequired: false,
          isSecret: false,
          whenAbsent: 'a page of ours',
          example: 'https://example.com/',
          readBy: ['worker'],
          schema: { type: 'string' },
        },
      ],
    });
  });

  it('throws for two declarations of the same variable', () => {
    const other = declareProcess({
      name: 'other',
      about: '',
      variables: { LEVEL: variable({ schema: z.string(), description: '' }) },
    });
    expect(() => describeAsTable([api, worker, other])).toThrow(
      'LEVEL is declared twice: for api, worker, and for other',
    );
  });
});

describe('the present values of variables', () => {
  it('come from the environment or the defaults, and secrets are masked', () => {
    expect(effectiveTexts(api, { KEY: 'secret' })).toEqual([
      { name: 'KEY', text: '********', from: 'environment' },
      { name: 'LEVEL', text: 'info', from: 'default' },
    ]);
    expect(effectiveTexts(api, { LEVEL: 'debug' })).toEqual([
      { name: 'KEY', text: null, from: 'absent' },
      { name: 'LEVEL', text: 'debug', from: 'environment' },
    ]);
  });

  it('mask the password in a URL even when the variable is not declared as secret', () => {
    expect(effectiveTexts(worker, { PAGE: 'https://user:pass@word@example.com/?a=b' }).map(({ text }) => text)).toEqual(
      ['info', 'https://********@example.com/?a=b'],
    );
  });

  it('describe variables that are not set', () => {
    expect(effectiveTexts(worker, {})[1]).toEqual({ name: 'PAGE', text: 'a page of ours', from: 'absent' });
    expect(textsInForce(worker, {})).toEqual({ LEVEL: 'info', PAGE: 'not set: a page of ours' });
    expect(textsInForce(api, { KEY: 'secret', LEVEL: 'debug' })).toEqual({ KEY: '********', LEVEL: 'debug' });
    expect(textsInForce(api, {})).toEqual({ KEY: null, LEVEL: 'info' });
  });
});
