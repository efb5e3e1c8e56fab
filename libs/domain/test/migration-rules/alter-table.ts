import { type AlterTableCmd, type AlterTableStmt, type ColumnDef, type Constraint, type Node } from 'libpg-query';
import { type Violation } from './violation.js';
import { type Schema } from './schema.js';

/** Commands that take only a moment and that the previous release does not notice. */
const HARMLESS = [
  'AT_ValidateConstraint',
  'AT_SetStatistics',
  'AT_SetRelOptions',
  'AT_ResetRelOptions',
  'AT_SetStorage',
  'AT_SetCompression',
];

const CONTRACTIONS: Readonly<Record<string, string>> = {
  AT_DropColumn: 'reads and writes this column',
  AT_AlterColumnType: 'reads and writes the present type of this column',
  AT_SetNotNull: 'may write null to this column',
  AT_DropNotNull: 'expects that this column is never null',
  AT_DropConstraint: 'may rely on this constraint (ON CONFLICT, errors by its name, known values)',
};

export function checkAlterTable({ relation, cmds = [], objtype }: AlterTableStmt, schema: Schema): Violation[] {
  const table = relation?.relname;
  if (!schema.has(table)) return [];
  if (objtype === 'OBJECT_INDEX')
    return cmds.flatMap((node) => (commandOf(node).subtype === 'AT_AttachPartition' ? [] : [unknown(table, node)]));
  return cmds.flatMap((node) => checkCommand(table, node, schema));
}

function checkCommand(table: string | undefined, node: Node, schema: Schema): Violation[] {
  const { subtype = '', name, def } = commandOf(node);
  if (HARMLESS.includes(subtype)) return [];
  if (subtype === 'AT_AddColumn' && def && 'ColumnDef' in def) return checkColumn(def.ColumnDef);
  if (subtype === 'AT_AddConstraint' && def && 'Constraint' in def)
    return checkConstraint(table, def.Constraint, schema);
  if (subtype === 'AT_ColumnDefault')
    return def || !schema.hasColumn(table, name)
      ? []
      : [{ kind: 'contracts', because: `the previous release may leave ${table}.${name} to its default` }];
  const contraction = CONTRACTIONS[subtype];
  if (contraction === undefined) return [unknown(table, node)];
  const isNew = subtype !== 'AT_DropConstraint' && !schema.hasColumn(table, name);
  const violations: Violation[] = isNew
    ? []
    : [{ kind: 'contracts', because: `the previous release ${contraction}: ${table}.${name}` }];
  if (subtype === 'AT_AlterColumnType')
    violations.push({ kind: 'locks', because: `another type rewrites all rows of ${table}: add a new column instead` });
  return violations;
}

const constraintsOf = ({ constraints = [] }: ColumnDef): Constraint[] =>
  constraints.flatMap((node) => ('Constraint' in node ? node.Constraint : []));

function checkColumn(column: ColumnDef): Violation[] {
  const found = new Map(constraintsOf(column).map((constraint) => [constraint.contype, constraint]));
  const violations: Violation[] = [];
  const lock = (because: string): number =>
    violations.push({ kind: 'locks', because: `${column.colname}: ${because}` });
  if (found.has('CONSTR_NOTNULL') && !found.has('CONSTR_DEFAULT'))
    violations.push({
      kind: 'contracts',
      because: `the previous release writes no ${column.colname}, which must not be null and has no default`,
    });
  const value = found.get('CONSTR_DEFAULT')?.raw_expr;
  if (value && !isConstant(value))
    lock('a default that is not constant rewrites all rows: set it after the column exists');
  if (found.has('CONSTR_IDENTITY') || found.has('CONSTR_GENERATED') || isSerial(column))
    lock('a numbered or computed column rewrites all rows');
  if (found.has('CONSTR_UNIQUE') || found.has('CONSTR_PRIMARY'))
    lock('building the index blocks writes: use CREATE UNIQUE INDEX CONCURRENTLY');
  if (found.has('CONSTR_CHECK') || found.has('CONSTR_FOREIGN'))
    lock(
      'the constraint reads all rows: use ADD CONSTRAINT … NOT VALID, and VALIDATE CONSTRAINT in the next migration',
    );
  return violations;
}

/** True for a value that PostgreSQL stores once for all existing rows. */
const isConstant = (value: Node): boolean =>
  'A_Const' in value ||
  'SQLValueFunction' in value ||
  ('TypeCast' in value && value.TypeCast.arg !== undefined && isConstant(value.TypeCast.arg));

const isSerial = ({ typeName }: ColumnDef): boolean =>
  (typeName?.names ?? []).some(
    (node) => 'String' in node && ['serial', 'bigserial', 'smallserial'].includes(node.String.sval ?? ''),
  );

function checkConstraint(table: string | undefined, constraint: Constraint, schema: Schema): Violation[] {
  const { conname, contype, skip_validation, indexname } = constraint;
  const violations: Violation[] = [];
  if (skip_validation !== true && indexname === undefined)
    violations.push({
      kind: 'locks',
      because:
        `${conname}: the constraint reads all rows of ${table} and blocks writes: ` +
        'use NOT VALID and later VALIDATE, or USING INDEX',
    });
  const columns = [
    ...names(constraint.fk_attrs),
    ...names(constraint.keys),
    ...(constraint.raw_expr ? columnsIn(constraint.raw_expr) : []),
  ];
  // A constraint USING INDEX does not name its columns, so it always counts as a violation.
  if (
    indexname !== undefined ||
    contype === 'CONSTR_EXCLUSION' ||
    columns.some((column) => schema.hasColumn(table, column))
  )
    violations.push({ kind: 'contracts', because: `${conname} forbids values that the previous release may write` });
  return violations;
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

const unknown = (table: string | undefined, node: Node): Violation => ({
  kind: 'unknown',
  because: `no rule allows ${commandOf(node).subtype} (${table})`,
});
