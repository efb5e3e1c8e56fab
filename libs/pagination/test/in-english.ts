/** Replaces each message in a result by its English text. */
export const inEnglish = (result: unknown): unknown => JSON.parse(JSON.stringify(result));
