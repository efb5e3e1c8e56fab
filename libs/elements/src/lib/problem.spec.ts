import { expect, test } from '@jest/globals';
import { ApiError } from '@ats/client';
import { faultAt } from './problem.js';

const errorAt = (...paths: readonly string[]): ApiError =>
  new ApiError(new Response(null, { status: 422 }), {
    message: 'The body is invalid.',
    errors: paths.map((path) => ({ path, code: 'invalid', info: `wrong ${path}` })),
  });

test('a field shows the violation at its pointer', () => {
  expect(faultAt(errorAt('/name'), '/name')).toBe('wrong /name');
  expect(faultAt(errorAt('/names'), '/name')).toBeUndefined();
  expect(faultAt(new Error('other'), '/name')).toBeUndefined();
});

test('a field shows the violations inside its value with their names', () => {
  const error = errorAt('/custom_headers/host', '/custom_headers/te');
  expect(faultAt(error, '/custom_headers')).toBe('host: wrong /custom_headers/host te: wrong /custom_headers/te');
});
