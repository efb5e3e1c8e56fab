import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type SqlObjectModel } from '@ats/search-query';
import { DATAPATH_SYNTAX, formDataIndex } from '../vocabulary/form-data.js';
import { type ObjectType, registeredTypes } from '../vocabulary/object-type.js';
import { formValueRelation, formValueTypes } from './form-value.model.js';

const FOLDER = import.meta.dirname;
/**
 * Matches the file names of models in the source and in the build output. It matches neither declarations (`.d.ts`) nor
 * specs.
 */
const MODEL = /^[a-z0-9-]+\.model\.(js|ts)$/;

/**
 * Loads all models of this folder. Each file registers its types and resources when it loads, so a new model needs a
 * new file and no other change.
 */
function loadTypes(): readonly ObjectType[] {
  const load = createRequire(import.meta.url);
  for (const name of readdirSync(FOLDER).filter((file) => MODEL.test(file))) load(join(FOLDER, name));
  return [...registeredTypes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const types = loadTypes();
const byName: ReadonlyMap<string, ObjectType> = new Map([...types, ...formValueTypes].map((type) => [type.name, type]));

/** The description of all object types, and of the relations that datapaths can follow. */
export interface DomainModel extends SqlObjectModel {
  /** All object types, sorted by name. */
  readonly types: readonly ObjectType[];
  type(name: string): ObjectType | undefined;
}

export const objectModel: DomainModel = {
  ...DATAPATH_SYNTAX,
  types,
  type: (name) => byName.get(name),
  keyedRelation: (owner, key) => formValueRelation(owner, formDataIndex(key)),
};

/**
 * Finds an object type that must exist. Pass only names from the program, never names from a client.
 * @throws {Error} when no type has the name
 */
export function getObjectType(name: string): ObjectType {
  const type = byName.get(name);
  if (!type) throw new Error(`the object model has no object type ${name}`);
  return type;
}
