import { z } from 'zod';

/** The schema of a list of delays after failed attempts, in seconds, such as `5,30,120`. */
export const schedule = z
  .string()
  .regex(/^\s*\d{1,7}(\s*,\s*\d{1,7})*\s*$/, { error: 'must be whole seconds, separated by commas' })
  .transform((text) => text.split(',').map(Number));
