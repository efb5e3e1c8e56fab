/**
 * Import rules inside each project, checked by `npm run lint`. The rules between projects are in eslint.config.mjs.
 * Every rule applies to `import type` too.
 */

/**
 * Layers of each project, from bottom to top. A folder may import from itself and from the folders before it in the
 * list.
 */
const LAYERS = {
  'libs/domain/src': ['environment', 'vocabulary', 'texts', 'objects', 'reading', 'facts', 'writing', 'rules', 'notification', 'privacy'],
  'libs/datapath/src/lib': ['syntax', 'checking', 'running', 'index', 'language'],
};

/** Projects in which imports between folders must not form a cycle. */
const PROJECTS = [
  'apps/api/src',
  'apps/notifier/src',
  'libs/domain/src',
  'libs/datapath/src/lib',
  'libs/search-query/src/lib',
  'libs/postgres/src/lib',
];

const upward = Object.entries(LAYERS).flatMap(([root, layers]) =>
  layers.slice(0, -1).map((layer, index) => ({
    name: `${root}/${layer} is below ${layers.slice(index + 1).join(', ')}`,
    comment: 'A layer imports only from itself and from the layers below it.',
    severity: 'error',
    from: { path: `^${root}/(?:${layer})/`, pathNot: '[.](?:db-|http-)?spec[.]ts$' },
    to: { path: `^${root}/(?:${layers.slice(index + 1).join('|')})/` },
  })),
);

module.exports = {
  forbidden: [
    {
      name: 'no-file-cycle',
      comment: 'Two files that need each other are one concept: merge them, or move what both need into a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-folder-cycle',
      comment: 'Folders that need each other hide a missing layer.',
      severity: 'error',
      scope: 'folder',
      from: { path: `^(?:${PROJECTS.join('|')})` },
      to: { circular: true },
    },
    {
      name: 'migrations-are-frozen',
      comment: 'A released migration must not change with live code, so it imports TypeORM and nothing else.',
      severity: 'error',
      from: { path: '^libs/domain/src/migrations/[0-9]' },
      to: { pathNot: 'node_modules/typeorm/' },
    },
    ...upward,
  ],
  options: {
    doNotFollow: { path: 'node_modules|[/]dist[/]' },
    exclude: { path: ['/src/generated/', '/dist/', '/out-tsc/', '/test/', 'spec[.]ts$', 'node_modules/(?!typeorm)'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@ats/source', 'import', 'types', 'node', 'default'],
    },
  },
};
