import { type LanguageModel } from '../src/lib/language/language-model.js';
import { createLanguageService } from '../src/lib/language/language-service.js';
import { model as recruiting, roots } from './recruiting.js';

export const model: LanguageModel = {
  ...recruiting,
  keys: (type) => (type === 'application' ? ['21', '22', '23'].map((key) => ({ key, label: `Item ${key}` })) : []),
  closedValues: ({ owner, name }) => (owner === 'state' && name === 'name' ? ['open', 'closed'] : undefined),
  describe: (type, name) =>
    type === 'application' && name === 'score' ? { label: 'score', description: '0 to 5' } : undefined,
};
/** The language service with the object model of a recruiting program. */
export const service = createLanguageService(model, roots);
