import { type AlterTableCmd, type AlterTableStmt, type ColumnDef, type Constraint, type Node } from 'libpg-query';
import { type Fault } from './fault.js';
import { type Schema } from './schema.js';

/** A moment each, and nothing that the release before would see. */
const HARMLESS = [
  'AT_ValidateConstraint',
  'AT_SetStatistics',
  'AT_SetRelOptions',
  'AT_ResetRelOptions',
  'AT_SetStorage',
  'AT_SetCompression',
];

const CONTRACTIONS: Readonly<Record<string, string>> = {
  AT_DropColumn: 'reads and writes it',
  AT_AlterColumnType: 'reads and writes the type that it has',
  AT_SetNotNull: 'may write null',
  AT_DropNotNull: 'reads it as never null',
  AT_DropConstraint: 'may rely on it (ON CONFLICT, errors by its name, values that it knows)',
};

export function judgeAlterTable({ relation, cmds = [], objtype }: AlterTableStmt, schema: Schema): Fault[] {
  const table = relation?.relname;
  if (!schema.has(table)) return [];
  if (objtype === 'OBJECT_INDEX')
    return cmds.flatMap((node) => (commandOf(node).subtype === 'AT_AttachPartition' ? [] : [unknown(table, node)]));
  return cmds.flatMap((node) => judgeCommand(table, node, schema));
}

function judgeCommand(table: string | undefined, node: Node, schema: Schema): Fault[] {
  const { subtype = '', name, def } = commandOf(node);
  if (HARMLESS.includes(subtype)) return [];
  if (subtype === 'AT_AddColumn' && def && 'ColumnDef' in def) return judgeColumn(def.ColumnDef);
  if (subtype === 'AT_AddConstraint' && def && 'Constraint' in def)
    return judgeConstraint(table, def.Constraint, schema);
  if (subtype === 'AT_ColumnDefault')
    return def || !schema.hasColumn(table, name)
      ? []
      : [{ kind: 'contracts', because: `the release before may leave ${table}.${name} to its default` }];
  const contraction = CONTRACTIONS[subtype];
  if (contraction === undefined) return [unknown(table, node)];
  const isNew = subtype !== 'AT_DropConstraint' && !schema.hasColumn(table, name);
  const faults: Fault[] = isNew
    ? []
    : [{ kind: 'contracts', because: `the release before ${contraction}: ${table}.${name}` }];
  if (subtype === 'AT_AlterColumnType')
    faults.push({ kind: 'locks', because: `all rows of ${table} are written anew: a new column instead` });
  return faults;
}

const constraintsOf = ({ constraints = [] }: ColumnDef): Constraint[] =>
  constraints.flatMap((node) => ('Constraint' in node ? node.Constraint : []));

function judgeColumn(column: ColumnDef): Fault[] {
  const found = new Map(constraintsOf(column).map((constraint) => [constraint.contype, constraint]));
  const faults: Fault[] = [];
  const lock = (because: string): number => faults.push({ kind: 'locks', because: `${column.colname}: ${because}` });
  if (found.has('CONSTR_NOTNULL') && !found.has('CONSTR_DEFAULT'))
    faults.push({
      kind: 'contracts',
      because: `the release before writes no ${column.colname}, which must not be null and has no default`,
    });
  const value = found.get('CONSTR_DEFAULT')?.raw_expr;
  if (value && !isConstant(value))
    lock('a default that is no constant writes all rows anew: set it after the column is there');
  if (found.has('CONSTR_IDENTITY') || found.has('CONSTR_GENERATED') || isSerial(column))
    lock('numbering or computing it writes all rows anew');
  if (found.has('CONSTR_UNIQUE') || found.has('CONSTR_PRIMARY'))
    lock('its index is built while nobody can write: CREATE UNIQUE INDEX CONCURRENTLY');
  if (found.has('CONSTR_CHECK') || found.has('CONSTR_FOREIGN'))
    lock('all rows are read: ADD CONSTRAINT … NOT VALID, and VALIDATE CONSTRAINT in the next migration');
  return faults;
}

/** Known when the statement is read: PostgreSQL keeps it once for all the rows that are there. */
const isConstant = (value: Node): boolean =>
  'A_Const' in value ||
  'SQLValueFunction' in value ||
  ('TypeCast' in value && value.TypeCast.arg !== undefined && isConstant(value.TypeCast.arg));

const isSerial = ({ typeName }: ColumnDef): boolean =>
  (typeName?.names ?? []).some(
    (node) => 'String' in node && ['serial', 'bigserial', 'smallserial'].includes(node.String.sval ?? ''),
  );

function judgeConstraint(table: string | undefined, constraint: Constraint, schema: Schema): Fault[] {
  const { conname, contype, skip_validation, indexname } = constraint;
  const faults: Fault[] = [];
  if (skip_validation !== true && indexname === undefined)
    faults.push({
      kind: 'locks',
      because: `${conname}: all rows of ${table} are read while nobody can write: NOT VALID and later VALIDATE, or USING INDEX`,
    });
  const columns = [
    ...names(constraint.fk_attrs),
    ...names(constraint.keys),
    ...(constraint.raw_expr ? columnsIn(constraint.raw_expr) : []),
  ];
  // An index does not say here which columns it has.
  if (
    indexname !== undefined ||
    contype === 'CONSTR_EXCLUSION' ||
    columns.some((column) => schema.hasColumn(table, column))
  )
    faults.push({ kind: 'contracts', because: `${conname} forbids what the release before may write` });
  return faults;
}

const names = (nodes: readonly Node[] = []): string[] =>
  nodes.flatMap((node) => ('String' in node ? (node.String.sval ?? []) : []));

/** The names of all columns anywhere in an expression. */
function columnsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { ColumnRef } = value as { readonly ColumnRef?: { readonly fields?: Node[] } };
  return ColumnRef ? names(ColumnRef.fields) : Object.values(value).flatMap(columnsIn);
}

const commandOf = (node: Node): AlterTableCmd => ('AlterTableCmd' in node ? node.AlterTableCmd : {});

const unknown = (table: string | undefined, node: Node): Fault => ({
  kind: 'unknown',
  because: `nothing is known of ${commandOf(node).subtype} (${table})`,
});
