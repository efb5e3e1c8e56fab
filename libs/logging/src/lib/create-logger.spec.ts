import { describe, expect, it } from '@jest/globals';
import { createLogger, type LoggerOptions } from './create-logger.js';
import { NestLogger } from './nest-logger.js';

function collect(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const logger = createLogger({
    app: 'api',
    release: '1.2.3',
    level: 'trace',
    write: (line) => void lines.push(line),
    ...options,
  });
  const entries = (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger, lines, entries };
}

describe('a log line', () => {
  it('has time, level, process, release, its own fields and a text', () => {
    const { logger, entries } = collect();
    logger.info({ event_id: 7 }, 'matched');
    expect(entries()).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown as string,
        level: 'info',
        app: 'api',
        release: '1.2.3',
        hostname: expect.any(String) as unknown as string,
        pid: process.pid,
        event_id: 7,
        msg: 'matched',
      },
    ]);
  });

  it('is one line, even when its values contain line breaks', () => {
    const { logger, lines } = collect();
    logger.warn({ name: 'a\nb\u2028c' }, 'x\r\n{"level":"fatal"}');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trim()).not.toMatch(/[\r\n]/);
  });

  it('drops request and answer objects', () => {
    const { logger, lines } = collect();
    logger.info({ req: { url: '/?q=secret' }, res: { body: 'secret' } }, 'x');
    expect(lines.join('')).not.toContain('secret');
  });

  it.each([
    ['under err', (error: Error) => ({ err: error })],
    ['under error', (error: Error) => ({ error })],
    ['by itself', (error: Error) => error],
  ])('describes an error given %s, and never repeats its message', (_, wrap) => {
    const { logger, entries, lines } = collect();
    logger.error(wrap(Object.assign(new Error('secret'), { code: '22P02', severity: 'ERROR', detail: 'secret' })));
    expect(lines.join('')).not.toContain('secret');
    const [{ err, error } = {}] = entries();
    expect(err ?? error).toMatchObject({ type: 'Error', code: '22P02' });
  });

  it('is written only at or above the level, and never when the level is silent', () => {
    for (const [level, count] of [
      ['warn', 1],
      ['silent', 0],
    ] as const) {
      const { logger, lines } = collect({ level });
      logger.info('no');
      logger.warn('yes');
      expect(lines).toHaveLength(count);
    }
  });
});

describe('the log lines of Nest', () => {
  it('have the same form, the level debug instead of info, and errors without secret values', () => {
    const { logger, entries, lines } = collect();
    const nest = new NestLogger(logger);
    nest.log('Mapped', 'RouterExplorer');
    nest.error(new Error('about "secret"'), 'Error: secret\n   at x', 'Exceptions');
    expect(entries()).toMatchObject([
      { level: 'debug', context: 'RouterExplorer', msg: 'Mapped' },
      { level: 'error', context: 'Exceptions', msg: 'Error', err: { message: 'about …' } },
    ]);
    expect(lines.join('')).not.toContain('secret');
  });
});

describe('the readable form of log lines', () => {
  it('shows a request in one phrase, and other lines with their fields', () => {
    const { logger, lines } = collect({ format: 'pretty' });
    logger.info(
      {
        request_id: 'r-1',
        method: 'GET',
        route: '/api/v1/candidates/:id',
        params: { id: 12 },
        status: 200,
        duration_ms: 3.1,
        response_bytes: 512,
      },
      'request',
    );
    logger.warn({ delivery_id: 3, note: 'a b' }, 'could not be stored');
    expect(lines.map((line) => line.replace(/^[\d:.]{12}/, 'TIME'))).toEqual([
      'TIME INFO  GET /api/v1/candidates/12 200 3.1 ms 512 B request_id=r-1\n',
      'TIME WARN  could not be stored delivery_id=3 note="a b"\n',
    ]);
  });

  it('escapes control characters, so that a value cannot begin a line or move the cursor', () => {
    const { logger, lines } = collect({ format: 'pretty' });
    logger.info({ note: 'a\n09:00 FATAL\u001b[2J' }, 'b\r\nc\u202e');
    expect(lines.join('').split('\n')).toEqual([
      expect.stringContaining('b\\u000d\\u000ac\\u202e note="a\\n09:00 FATAL\\u001b[2J"'),
      '',
    ]);
  });

  it('shows an error below its line', () => {
    const { logger, lines } = collect({ format: 'pretty' });
    logger.error(
      { err: new Error('outer', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }) },
      'failed',
    );
    expect(lines.join('')).toMatch(
      /ERROR failed\n {4}Error message=outer\n {6}at [^]*\n {4}because of Error code=ECONNREFUSED\n/,
    );
  });
});
