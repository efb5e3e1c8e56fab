import { DEFAULT_PER_PAGE, MAX_PAGE, MAX_PER_PAGE } from '@ats/pagination';
import { type QueryParameter } from './operation.js';

/** The parameters of every collection. Source: SPEC.md 4.1. */
export const PAGE_PARAMETERS: readonly QueryParameter[] = [
  { name: 'page', description: 'Page number, from 1.', schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE, default: 1 } },
  { name: 'per_page', description: 'Items on a page.', schema: { type: 'integer', minimum: 1, maximum: MAX_PER_PAGE, default: DEFAULT_PER_PAGE } },
];
