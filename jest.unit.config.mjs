import config from './jest.config.mjs';
import { writeUnitGroups } from './tools/test/groups.mjs';

/** Runs the unit specs of all projects in groups, for `npm test`. `npm run test:unit -- FILE` runs some files. */
export default { ...config, roots: [...config.roots, '<rootDir>/out-test'], testMatch: writeUnitGroups() };
