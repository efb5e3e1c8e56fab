// @ts-check
/**
 * Runs several spec files in one module registry: Jest loads the modules that they share once instead of once per file.
 * Each file gets a `describe` block, so its hooks run only around its own tests.
 * @param {string} rootDir
 * @param {readonly string[]} files relative to `rootDir`
 */
exports.runGroup = (rootDir, files) => {
  useOwnRedisDatabase();
  for (const file of files)
    describe(file, () => {
      restoreEnvironment();
      try {
        require(`${rootDir}/${file}`);
      } catch (error) {
        // The other files of the group run all the same.
        test('loads', () => {
          throw error;
        });
      }
    });
};

/** Groups that run at the same time share a Redis server. Each worker of Jest takes a database of its own there. */
function useOwnRedisDatabase() {
  const { TEST_REDIS_URL, JEST_WORKER_ID } = process.env;
  if (TEST_REDIS_URL)
    process.env.TEST_REDIS_URL = Object.assign(new URL(TEST_REDIS_URL), { pathname: `/${JEST_WORKER_ID}` }).href;
}

/** A spec file may point the variables of the tests to servers of its own. */
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
