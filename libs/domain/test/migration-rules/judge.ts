import { type IndexStmt, type Node, parse } from 'libpg-query';
import { judgeAlterTable } from './alter-table.js';
import { type Fault } from './fault.js';
import { droppedNames, type Schema } from './schema.js';
import { judgeWrite } from './writes.js';

/** Making something: nobody waits for it, and nobody of before knows it. */
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
 * Reads the statements of one migration with PostgreSQL's own grammar: what is not known to be harmless is a fault.
 * @param texts as they were sent, each with one statement or more
 * @param schema that of the release before
 */
export async function judge(texts: readonly string[], schema: Schema, isInTransaction = true): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const text of texts) {
    const statements = ((await parse(text)).stmts ?? []).flatMap(({ stmt }) => stmt ?? []);
    if (!isInTransaction && statements.length > 1)
      faults.push({
        kind: 'unknown',
        because: 'several statements in one query are a transaction: send each by itself',
      });
    for (const statement of statements) {
      faults.push(...judgeStatement(statement, schema), ...(isInTransaction ? [] : judgeAlone(statement, schema)));
      schema.note(statement);
    }
  }
  return faults;
}

function judgeStatement(statement: Node, schema: Schema): Fault[] {
  if ('AlterTableStmt' in statement) return judgeAlterTable(statement.AlterTableStmt, schema);
  if ('IndexStmt' in statement) return judgeIndex(statement.IndexStmt, schema);
  if ('UpdateStmt' in statement) return judgeWrite('UPDATE', statement.UpdateStmt, schema);
  if ('DeleteStmt' in statement) return judgeWrite('DELETE', statement.DeleteStmt, schema);
  if ('DropStmt' in statement) {
    const missed = droppedNames(statement.DropStmt).filter((name) => schema.has(name));
    return missed.map((name) => ({ kind: 'contracts', because: `the release before has ${name}` }));
  }
  if ('RenameStmt' in statement) {
    const { relation, subname } = statement.RenameStmt;
    return schema.has(relation?.relname)
      ? [
          {
            kind: 'contracts',
            because: `the release before knows ${[relation?.relname, subname].filter(Boolean).join('.')} by this name`,
          },
        ]
      : [];
  }
  const [kind = 'this'] = Object.keys(statement);
  return HARMLESS.includes(kind) ? [] : [{ kind: 'unknown', because: `nothing is known of ${kind}` }];
}

function judgeIndex({ idxname, relation, concurrent, unique }: IndexStmt, schema: Schema): Fault[] {
  const { relname: table, inh: isWhole } = relation ?? {};
  if (!schema.has(table)) return [];
  const faults: Fault[] = [];
  // ON ONLY a partitioned table takes no time: those of its partitions are attached afterwards.
  if (concurrent !== true && isWhole === true)
    faults.push({
      kind: 'locks',
      because: `nobody can write to ${table} while ${idxname} is built: CONCURRENTLY, in a migration with \`transaction = false\``,
    });
  if (unique === true)
    faults.push({ kind: 'contracts', because: `${idxname} forbids what the release before may write` });
  return faults;
}

/** Outside a transaction nothing ends the waiting for a lock, and what was interrupted is done again from the beginning: few statements allow for both. */
function judgeAlone(statement: Node, schema: Schema): Fault[] {
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
        because: `what an interruption leaves of ${idxname} is in its way: DROP INDEX CONCURRENTLY IF EXISTS before it`,
      },
    ];
  }
  return [
    {
      kind: 'unknown',
      because: `${Object.keys(statement)[0]} is for a migration with a transaction, where its waiting has an end`,
    },
  ];
}

const isValidation = (node: Node): boolean =>
  'AlterTableCmd' in node && node.AlterTableCmd.subtype === 'AT_ValidateConstraint';
