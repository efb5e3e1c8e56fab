export { type CatalogueEntry, catalogueOf } from './lib/catalogue.js';
export { type ConfigurationDescription, describeAsJson, type VariableDescription } from './lib/describe-json.js';
export { describeAsTable, describeForTerminal } from './lib/describe.js';
export { type Effective, effectiveTexts, textsInForce } from './lib/effective.js';
export { findMisspelled, isNear, type Misspelled } from './lib/misspelled.js';
export { declareProcess, type DescribedProcess, type Process, type Requirement } from './lib/process.js';
export {
  EnvironmentError,
  type EnvironmentViolation,
  type RawEnvironment,
  readEnvironment,
} from './lib/read-environment.js';
export { type ErrorText, type Schemas, schemas } from './lib/schemas.js';
export {
  type Declaration,
  type EnvironmentOf,
  type OptionalNames,
  type ValueOf,
  type Variable,
  variable,
  type Variables,
} from './lib/variable.js';
