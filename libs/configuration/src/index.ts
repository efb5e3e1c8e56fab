export { catalogueOf, type CatalogueEntry } from './lib/catalogue.js';
export { describeAsTable, describeForTerminal } from './lib/describe.js';
export { describeAsJson, type ConfigurationDescription, type VariableDescription } from './lib/describe-json.js';
export { type Effective, effectiveTexts, textsInForce } from './lib/effective.js';
export { findMisspelled, isNear, type Misspelled } from './lib/misspelled.js';
export { declareProcess, type DescribedProcess, type Process, type Requirement } from './lib/process.js';
export {
  EnvironmentError,
  readEnvironment,
  type EnvironmentFault,
  type RawEnvironment,
} from './lib/read-environment.js';
export { schemas } from './lib/schemas.js';
export { sharedVariables } from './lib/shared-variables.js';
export { tracingVariables } from './lib/tracing-variables.js';
export { variable, type EnvironmentOf, type Variable, type Variables } from './lib/variable.js';
