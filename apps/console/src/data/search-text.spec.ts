import { describe, expect, it } from '@jest/globals';
import { type Condition, formatCondition, parseCondition } from './search-text.js';

describe('conditions of a search', () => {
  it.each<[string, Condition]>([
    ['/lastname=Lovelace', { key: '/lastname', operator: '=', values: ['Lovelace'] }],
    ['/rating>=4', { key: '/rating', operator: '>=', values: ['4'] }],
    ['user.email=~example', { key: 'user.email', operator: '=~', values: ['example'] }],
    ['/Address=', { key: '/Address', operator: '=', values: [''] }],
    ['/Email/[a=b]/Address!=x', { key: '/Email/[a=b]/Address', operator: '!=', values: ['x'] }],
    ['/tags={java,c\\, or c++,\\{}', { key: '/tags', operator: '=', values: ['java', 'c, or c++', '{'] }],
    ['/note={\\{x}', { key: '/note', operator: '=', values: ['{x'] }],
    ['/note={=x}', { key: '/note', operator: '=', values: ['=x'] }],
    ['/note=a\nb', { key: '/note', operator: '=', values: ['a\nb'] }],
  ])('%s is read and written back', (text, condition) => {
    expect(parseCondition(text)).toEqual(condition);
    expect(formatCondition(condition)).toBe(text);
  });

  it.each(['', 'lastname', '=x'])('%j is not read as a condition', (text) => {
    expect(parseCondition(text)).toBeUndefined();
  });
});
