import { describe, expect, it } from '@jest/globals';
import { modelWithItems, modelWithKeys } from '../../facts/form-items.js';
import { type ItemType } from '../../objects/form.model.js';
import { compiledCondition } from './form-visibility.js';

const modelOf = (types: Readonly<Record<string, ItemType>>) =>
  modelWithKeys(modelWithItems(new Map()), 'application', new Map(Object.entries(types)));
const compiled = (types: Readonly<Record<string, ItemType>>, text = 'application.formdata.age > 3') =>
  compiledCondition(text, 'applications', modelOf(types));

describe('compiledCondition', () => {
  it('compiles a condition once for all writes', () => {
    const first = compiled({ age: 'integer' });
    expect(first).toBeDefined();
    expect(compiled({ age: 'integer', other: 'text' })).toBe(first);
  });

  it('compiles a condition again when the type of an item that it names has changed', () => {
    const first = compiled({ age: 'integer' });
    expect(compiled({ age: 'decimal' })).not.toBe(first);
    expect(compiled({ age: 'boolean' })).toBeUndefined();
    expect(compiled({})).toBeUndefined();
    expect(compiled({ age: 'integer' })).toBe(first);
  });

  it('compiles a condition for each kind of form', () => {
    const text = 'vacancy.title == "x"';
    expect(compiled({}, text)).toBeUndefined();
    expect(compiledCondition(text, 'vacancies', modelOf({}))).toBeDefined();
  });
});
