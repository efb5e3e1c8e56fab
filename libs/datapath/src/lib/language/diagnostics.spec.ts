// @group split: npm test draws a tenth of the random cases
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { condition } from '../../../test/arbitraries.js';
import { model, service } from '../../../test/recruiting-language.js';
import { roots } from '../../../test/recruiting.js';
import { LIMITS } from '../syntax/limits.js';
import { apply } from './diagnostics.js';
import { createLanguageService } from './language-service.js';

/** Returns the number of random cases to draw: all in `npm run test:all`, a tenth of them in `npm test`. */
const runs = (all: number): number => (process.env['TEST_ALL'] === '1' ? all : all / 10);

const STATE = 'application.opportunity.state.name';

describe('the fixes of an expression', () => {
  it('remove the violation and add none, in any part of the expression', () => {
    const wrong = [
      'application.scor > 3',
      `${STATE} == "opn"`,
      'application.id == "7"',
      'application.is_internal < TRUE',
    ];
    const parts = fc.array(fc.oneof(fc.constantFrom(...wrong), condition), { minLength: 1, maxLength: 4 });
    const shapes = fc.constantFrom(' OR ', ' AND ', ' OR NOT ', ' AND TRUE == ');
    const texts = fc.tuple(parts, shapes).map(([all, sign]) => all.map((one) => `(${one})`).join(sign));
    fc.assert(
      fc.property(texts, (text) => {
        const found = service.diagnose(text);
        for (const violation of found)
          for (const { edit } of service.fixes(text, violation)) {
            const left = service.diagnose(apply(text, edit));
            expect(left.length).toBeLessThan(found.length);
            expect(left.map(({ code, offset }) => [code, offset])).not.toContainEqual([
              violation.code,
              violation.offset,
            ]);
          }
      }),
      { numRuns: runs(300) },
    );
  });

  it('contain no edit twice', () => {
    for (const text of ['application.score = 3', 'application.score > 3 && TRUE', 'application.opportunity == 3']) {
      const [violation] = service.diagnose(text);
      const edits = violation ? service.fixes(text, violation).map(({ edit }) => JSON.stringify(edit)) : [];
      expect(edits).toHaveLength(1);
    }
  });

  it('are found by checking only the clause around the violation', () => {
    let lookups = 0;
    const type: typeof model.type = (name) => {
      lookups += 1;
      return model.type(name);
    };
    const counted = createLanguageService({ ...model, type }, roots);
    const text = Array(80).fill('application.scor > 3').join(' OR ');
    const violations = counted.diagnose(text);
    lookups = 0;
    for (const violation of violations) expect(counted.fixes(text, violation).length).toBeGreaterThan(0);
    expect(lookups / violations.length).toBeLessThan(10);
  });

  it('do not make the text longer than the limit', () => {
    const filler = ` OR application.source == "${'x'.repeat(900)}"`;
    const wrong = 'application.sourc == "x"';
    const text = `${wrong}${filler.repeat(4)}`;
    const longest = text + ' '.repeat(LIMITS.textLength - text.length);
    const [violation] = service.diagnose(longest);
    expect(violation?.code).toBe('unknown_name');
    expect(violation && service.fixes(longest, violation)).toEqual([]);
  });
});
