import { type Condition } from '@ats/search-query';

/** A condition that every item fulfils. */
export const isEverything = (condition: Condition): boolean =>
  condition.kind === 'all' && condition.conditions.every(isEverything);
