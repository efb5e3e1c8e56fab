import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/**
 * Who may import whom. There is no `*` constraint on purpose: a project without tags matches nothing and fails.
 * `tools/check-boundaries.mjs` proves that the rules bite.
 */
const depConstraints = [
  { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:data', 'type:pure'] },
  { sourceTag: 'type:e2e', onlyDependOnLibsWithTags: ['type:data', 'type:pure'] },
  { sourceTag: 'type:data', onlyDependOnLibsWithTags: ['type:pure'] },
  { sourceTag: 'scope:shared', onlyDependOnLibsWithTags: ['scope:shared'] },
  { sourceTag: 'scope:api', onlyDependOnLibsWithTags: ['scope:api', 'scope:shared'] },
  { sourceTag: 'scope:notifier', onlyDependOnLibsWithTags: ['scope:notifier', 'scope:shared'] },
  { sourceTag: 'scope:e2e', onlyDependOnLibsWithTags: ['scope:e2e', 'scope:shared'] },
];
const pureProduction = { sourceTag: 'type:pure', onlyDependOnLibsWithTags: ['type:pure'], allowedExternalImports: [] };
const pureTests = {
  sourceTag: 'type:pure',
  onlyDependOnLibsWithTags: ['type:pure'],
  allowedExternalImports: ['@jest/globals', 'fast-check'],
};
const dataProduction = {
  sourceTag: 'type:data',
  onlyDependOnLibsWithTags: ['type:pure'],
  allowedExternalImports: ['typeorm', 'pg', 'pg-*', 'zod'],
};
const boundaries = (extra) => [
  'error',
  { enforceBuildableLibDependency: true, allow: [], banTransitiveDependencies: true, depConstraints: [...depConstraints, ...extra] },
];
const tests = ['**/*.spec.ts', '**/*.db-spec.ts', '**/test/**/*.ts', 'apps/api-e2e/**/*.ts'];

export default tseslint.config(
  { ignores: ['**/dist', '**/out-tsc', '**/out-test', '**/coverage', '**/node_modules', '**/*.mjs'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      '@nx/enforce-module-boundaries': boundaries([pureProduction, dataProduction]),
    },
  },
  { files: tests, rules: { '@nx/enforce-module-boundaries': boundaries([pureTests]) } },
);
