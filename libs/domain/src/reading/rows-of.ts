import { type Transaction } from '@ats/postgres';
import { type ObjectLiteral, type Repository } from 'typeorm';
import { type ObjectType } from '../vocabulary/object-type.js';
import { tableOf } from './representation-sql.js';

/**
 * Returns the TypeORM repository of an object type's table, to read and write single rows in a transaction. The
 * database must be opened with `entitySchemas`. The repository adds no condition for the type's `fixed` columns, so it
 * also finds rows of other types in the same table.
 * @typeParam Row  the columns that the caller uses, including `id`
 */
export const rowsOf = <Row extends ObjectLiteral = ObjectLiteral>(
  transaction: Transaction,
  type: ObjectType,
): Repository<Row> => transaction.getRepository<Row>(tableOf(type));
