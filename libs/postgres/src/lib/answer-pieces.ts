/** Longest body in bytes that is read as one text. */
const WHOLE_BYTES = 256 * 1024;
/** Length in bytes of the pieces of a longer body. */
const PIECE_BYTES = 64 * 1024;

/** A row of a statement made by {@link inPieces}: the whole body, or one piece of it. */
export interface BodyPiece {
  /** Null when the row has a piece. */
  readonly body: string | null;
  readonly piece: Buffer | null;
  /** Number of the piece, from 0. Null when the row has the whole body. */
  readonly part: number | null;
}

/**
 * SQL that returns the only row of a statement, and its column `body` in pieces when it is long. The driver reads a row
 * as a whole, so that a long text would keep the process from serving other requests.
 * @param others  further columns of the statement; rows after the first one have null in them
 */
export function inPieces(statement: string, others: readonly string[]): string {
  const columns = others.map((name) => `, CASE WHEN coalesce(p.part, 0) = 0 THEN w.${name} END AS ${name}`);
  // Each OFFSET 0 keeps PostgreSQL from computing or converting the body once for each piece.
  return `SELECT CASE WHEN p.part IS NULL THEN w.body END AS body, p.piece, p.part${columns.join('')}
    FROM (${statement} OFFSET 0) w LEFT JOIN LATERAL (
      SELECT part, substring(b.bytes FROM part * ${PIECE_BYTES} + 1 FOR ${PIECE_BYTES}) AS piece
      FROM (SELECT convert_to(w.body, 'UTF8') AS bytes WHERE octet_length(w.body) > ${WHOLE_BYTES} OFFSET 0) b,
        generate_series(0, (octet_length(b.bytes) - 1) / ${PIECE_BYTES}) part) p ON true`;
}

/** Joins the pieces of a body, in any order. */
export function joinPieces(rows: readonly BodyPiece[]): Buffer {
  const [first] = rows;
  if (typeof first?.body === 'string') return Buffer.from(first.body);
  const sorted = [...rows].sort((a, b) => (a.part ?? 0) - (b.part ?? 0));
  return Buffer.concat(sorted.map(({ piece }) => piece ?? Buffer.alloc(0)));
}
