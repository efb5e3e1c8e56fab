export { DatapathColumns, type DatapathColumnsOptions } from './lib/datapath-columns.js';
export {
  quoteLiteral,
  type SqlAttribute,
  type SqlObject,
  type SqlObjectModel,
  type SqlRelation,
  type SqlSettings,
} from './lib/sql-model.js';
