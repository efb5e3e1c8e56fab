// @ts-check
/**
 * Runs several spec files in one module registry: Jest loads the modules that they share once instead of once per file.
 * Each file gets a `describe` block, so its hooks run only around its own tests.
 * @param {string} rootDir
 * @param {readonly string[]} files relative to `rootDir`
 * @param {readonly string[]} sampledFiles files in which a sample of the tests runs, see `sample-environment.cjs`
 */
exports.runGroup = (rootDir, files, sampledFiles) => {
  useOwnRedisDatabase();
  Object.assign(globalThis, { sampledFiles });
  for (const file of files)
    describe(file, () => {
      restoreEnvironment();
      try {
        require(`${rootDir}/${file}`);
      } catch (error) {
        // A file that cannot be loaded counts as a failed test, and the other files of the group still run.
        test('loads', () => {
          throw error;
        });
      }
    });
};

/** Groups that run at the same time share a Redis server. Each worker of Jest uses a database of its own on it. */
function useOwnRedisDatabase() {
  const { TEST_REDIS_URL, JEST_WORKER_ID } = process.env;
  if (TEST_REDIS_URL)
    process.env.TEST_REDIS_URL = Object.assign(new URL(TEST_REDIS_URL), { pathname: `/${JEST_WORKER_ID}` }).href;
}

/** Restores the environment after a spec file, which may point the variables of the tests to servers of its own. */
function restoreEnvironment() {
  /** @type {NodeJS.ProcessEnv} */
  let before;
  beforeAll(() => {
    before = { ...process.env };
  });
  afterAll(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  });
}
