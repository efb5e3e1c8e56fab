import { type IndexStmt, type Node, parse } from 'libpg-query';
import { checkAlterTable } from './alter-table.js';
import { type Violation } from './violation.js';
import { droppedNames, type Schema } from './schema.js';
import { checkWrite } from './writes.js';

/** Statements that block no request and change nothing that the previous release uses. */
const HARMLESS = [
  ...[
    'SelectStmt',
    'InsertStmt',
    'CreateStmt',
    'CreateTableAsStmt',
    'CreateFunctionStmt',
    'CreateTrigStmt',
    'CreateSeqStmt',
    'CreateStatsStmt',
  ],
  ...['CommentStmt', 'CreateExtensionStmt', 'ViewStmt'],
];

/**
 * Checks the statements of one migration, which it parses with PostgreSQL's own grammar. Everything that is not known
 * to be harmless is a violation.
 * @param texts   the queries as they were sent, each with one or more statements
 * @param schema  the schema of the previous release
 */
export async function checkStatements(
  texts: readonly string[],
  schema: Schema,
  isInTransaction = true,
): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const text of texts) {
    const statements = ((await parse(text)).stmts ?? []).flatMap(({ stmt }) => stmt ?? []);
    if (!isInTransaction && statements.length > 1)
      violations.push({
        kind: 'unknown',
        because: 'several statements in one query form a transaction: send each in a query of its own',
      });
    for (const statement of statements) {
      violations.push(
        ...checkStatement(statement, schema),
        ...(isInTransaction ? [] : checkWithoutTransaction(statement, schema)),
      );
      schema.record(statement);
    }
  }
  return violations;
}

function checkStatement(statement: Node, schema: Schema): Violation[] {
  if ('AlterTableStmt' in statement) return checkAlterTable(statement.AlterTableStmt, schema);
  if ('IndexStmt' in statement) return checkIndex(statement.IndexStmt, schema);
  if ('UpdateStmt' in statement) return checkWrite('UPDATE', statement.UpdateStmt, schema);
  if ('DeleteStmt' in statement) return checkWrite('DELETE', statement.DeleteStmt, schema);
  if ('DropStmt' in statement) {
    const missed = droppedNames(statement.DropStmt).filter((name) => schema.has(name));
    return missed.map((name) => ({ kind: 'contracts', because: `the previous release has ${name}` }));
  }
  if ('RenameStmt' in statement) {
    const { relation, subname } = statement.RenameStmt;
    return schema.has(relation?.relname)
      ? [
          {
            kind: 'contracts',
            because: `the previous release uses the name ${[relation?.relname, subname].filter(Boolean).join('.')}`,
          },
        ]
      : [];
  }
  const [kind = 'this'] = Object.keys(statement);
  return HARMLESS.includes(kind) ? [] : [{ kind: 'unknown', because: `no rule allows ${kind}` }];
}

function checkIndex({ idxname, relation, concurrent, unique }: IndexStmt, schema: Schema): Violation[] {
  const { relname: table, inh: isWhole } = relation ?? {};
  if (!schema.has(table)) return [];
  const violations: Violation[] = [];
  // CREATE INDEX ON ONLY a partitioned table takes no time: the indexes of its partitions are attached afterwards.
  if (concurrent !== true && isWhole === true)
    violations.push({
      kind: 'locks',
      because:
        `building ${idxname} blocks writes to ${table}: ` +
        'use CONCURRENTLY, in a migration with `transaction = false`',
    });
  if (unique === true)
    violations.push({ kind: 'contracts', because: `${idxname} forbids values that the previous release may write` });
  return violations;
}

/**
 * Checks a statement outside a transaction. Such a statement waits for locks without a timeout, and an interrupted
 * migration starts again from the beginning. Few statements are safe under both conditions.
 */
function checkWithoutTransaction(statement: Node, schema: Schema): Violation[] {
  if ('SelectStmt' in statement || 'UpdateStmt' in statement || 'DeleteStmt' in statement) return [];
  if ('DropStmt' in statement && statement.DropStmt.concurrent === true && statement.DropStmt.missing_ok === true)
    return [];
  if ('AlterTableStmt' in statement && statement.AlterTableStmt.cmds?.every(isValidation)) return [];
  if ('IndexStmt' in statement && statement.IndexStmt.concurrent === true) {
    const { idxname } = statement.IndexStmt;
    if (schema.isCleared(idxname)) return [];
    return [
      {
        kind: 'unknown',
        because: `an interruption would leave an invalid ${idxname}: add DROP INDEX CONCURRENTLY IF EXISTS before it`,
      },
    ];
  }
  return [
    {
      kind: 'unknown',
      because: `${Object.keys(statement)[0]} needs a migration with a transaction, which limits the wait for locks`,
    },
  ];
}

const isValidation = (node: Node): boolean =>
  'AlterTableCmd' in node && node.AlterTableCmd.subtype === 'AT_ValidateConstraint';
