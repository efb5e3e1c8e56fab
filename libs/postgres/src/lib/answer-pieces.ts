/** Maximum length in bytes of a body that is read as one text. */
const WHOLE_BYTES = 256 * 1024;
/** Length in bytes of the pieces into which a longer body is cut. */
const PIECE_BYTES = 64 * 1024;

/** A row of a statement made by {@link inPieces} with `textsAsBytes`: the whole body, or one piece of it. */
export interface BodyPiece {
  /** The whole body in UTF-8. Null when the row has a piece. */
  readonly body: Buffer | null;
  readonly piece: Buffer | null;
  /** The number of the piece, from 0. Null when the row has the whole body. */
  readonly part: number | null;
}

/**
 * Makes SQL that returns the single row of a statement. A long `body` is cut into pieces, each in a row of its own. The
 * driver reads a row as a whole, so a long text would keep the process from serving other requests.
 * @param others  further columns of the statement. They are null in all rows except the first one
 */
export function inPieces(statement: string, others: readonly string[]): string {
  const columns = others.map((name) => `, CASE WHEN coalesce(p.part, 0) = 0 THEN w.${name} END AS ${name}`);
  // Without OFFSET 0, PostgreSQL could compute or convert the body again for each piece.
  return `SELECT CASE WHEN p.part IS NULL THEN w.body END AS body, p.piece, p.part${columns.join('')}
    FROM (${statement} OFFSET 0) w LEFT JOIN LATERAL (
      SELECT part, substring(b.bytes FROM part * ${PIECE_BYTES} + 1 FOR ${PIECE_BYTES}) AS piece
      FROM (SELECT convert_to(w.body, 'UTF8') AS bytes WHERE octet_length(w.body) > ${WHOLE_BYTES} OFFSET 0) b,
        generate_series(0, (octet_length(b.bytes) - 1) / ${PIECE_BYTES}) part) p ON true`;
}

/** Joins the pieces of a body. They may be in any order. */
export function joinPieces(rows: readonly BodyPiece[]): Buffer {
  const [first] = rows;
  if (first?.body) return first.body;
  const sorted = [...rows].sort((a, b) => (a.part ?? 0) - (b.part ?? 0));
  return Buffer.concat(sorted.map(({ piece }) => piece ?? Buffer.alloc(0)));
}
