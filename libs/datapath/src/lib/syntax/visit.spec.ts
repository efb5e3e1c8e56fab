import { describe, expect, test } from '@jest/globals';
import { parseExpression } from './parser.js';
import { childrenOf, visitExpression } from './visit.js';

const text =
  'NOT a.b == 1 AND (a.c + 2 > DATE("today") OR a.d IN {"x", "y"}) OR WAS(a.e) < DATE("now") - DTDURATION(1,0,0,0)';

describe('visitExpression', () => {
  test('calls the function of each kind, in the order of the text', () => {
    const found: string[] = [];
    visitExpression(parseExpression(text), {
      path: ({ path }) => found.push(path.text),
      date: (node) => found.push(node.text),
      literal: ({ value }) => found.push(JSON.stringify(value)),
      past: ({ call }) => found.push(call),
    });
    expect(found).toEqual(['a.b', '1', 'a.c', '2', 'today', 'a.d', '"x"', '"y"', 'WAS', 'a.e', 'now']);
  });

  test('visits a node before the nodes below it', () => {
    const found: string[] = [];
    const note = ({ kind }: { readonly kind: string }) => found.push(kind);
    visitExpression(parseExpression('a.b == 1 OR NOT a.c'), { or: note, not: note, comparison: note, path: note });
    expect(found).toEqual(['or', 'comparison', 'path', 'not', 'path']);
  });

  test('visits nothing in a blank text', () => {
    const found: string[] = [];
    visitExpression(parseExpression(' '), { path: ({ path }) => found.push(path.text) });
    expect(found).toEqual([]);
  });
});

test('the position of each node contains those of its children, which do not overlap', () => {
  const inspect = (node: Parameters<typeof childrenOf>[0]): number => {
    let end = node.offset;
    let count = 1;
    for (const child of childrenOf(node)) {
      expect(child.offset).toBeGreaterThanOrEqual(end);
      end = child.offset + child.length;
      count += inspect(child);
    }
    expect(end).toBeLessThanOrEqual(node.offset + node.length);
    return count;
  };
  const { condition } = parseExpression(text);
  expect(condition && inspect(condition)).toBeGreaterThan(15);
});
