export { findMisspelled, type Misspelled } from './lib/misspelled.js';
export { declareProcess, type DescribedProcess, type Process, type Requirement } from './lib/process.js';
export { EnvironmentError, readEnvironment, type EnvironmentFault, type RawEnvironment } from './lib/read-environment.js';
export { schemas } from './lib/schemas.js';
export { sharedVariables } from './lib/shared-variables.js';
export { variable, type EnvironmentOf, type Variable, type Variables } from './lib/variable.js';
