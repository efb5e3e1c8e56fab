import { type LanguageService } from '@ats/datapath';
import { CompletionContext, insertCompletionText } from '@codemirror/autocomplete';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { corpus, loadService, texts } from '../../test/corpus.js';
import { completeExpression } from './completion.js';
import { diagnoseExpression } from './diagnostics.js';
import { expressionLanguage } from './language.js';

let service: LanguageService;
beforeAll(async () => {
  service = await loadService();
});
const stateOf = (doc: string) => EditorState.create({ doc });

describe('the corpus gives the same results in CodeMirror', () => {
  it.each(corpus.diagnostics.map((one) => [one.text, one] as const))(
    'diagnostics of %s',
    (text, { violations, fixed }) => {
      let state = stateOf(text);
      const found = diagnoseExpression(service)({ state });
      expect(found.map(({ source, from, to }) => [source, text.slice(from, to)])).toEqual(violations);
      const [first] = found;
      const [action] = first?.actions ?? [];
      const dispatch = (change: TransactionSpec) => (state = state.update(change).state);
      // This stub has only the members of an editor view that a fix uses.
      if (first) action?.apply({ state, dispatch } as never, first.from, first.to);
      expect(action && state.doc.toString()).toBe(fixed);
    },
  );

  it.each(corpus.completions.map((one) => [one.text, one] as const))(
    'completions at %s',
    async (marked, { first, all, result }) => {
      const at = marked.indexOf('|');
      const text = marked.replace('|', '');
      const state = EditorState.create({ doc: text, selection: { anchor: at } });
      const found = await completeExpression(service)(new CompletionContext(state, at, true));
      const labels = found?.options.map(({ label }) => label) ?? [];
      if (first) expect(labels.slice(0, first.length)).toEqual(first);
      if (all) expect(labels).toEqual(all);
      if (result === undefined || !found) return;
      const taken = insertCompletionText(state, labels[0] ?? '', found.from, found.to ?? at);
      expect(state.update(taken).state.doc.toString()).toBe(result);
    },
  );

  it.each(texts)('tokens of %j', (text) => {
    const { parser } = expressionLanguage(service);
    const found: (readonly [string, number, number])[] = [];
    parser.parse(text).iterate({
      enter: ({ name, from, to, node }) => {
        if (node.firstChild === null && to > from) found.push([name, from, to - from]);
      },
    });
    const expected = service.tokens(text).map((one) => [expect.any(String), one.offset, one.length]);
    expect(found).toEqual(expected);
  });
});

it('fixes are computed only for the violations that CodeMirror shows', () => {
  const asked: string[] = [];
  const counting: LanguageService = {
    ...service,
    fixes: (text, violation) => (asked.push(violation.code), service.fixes(text, violation)),
  };
  const state = stateOf('application.scor > 3 OR application.id == "7"');
  const [, second] = diagnoseExpression(counting)({ state });
  expect(asked).toEqual([]);
  expect(second?.actions).toBe(second?.actions);
  expect(second?.actions).toHaveLength(1);
  expect(asked).toEqual(['type_mismatch']);
});
