/** Returns a copy of a result in which each message is replaced by its English text. */
export const inEnglish = (result: unknown): unknown => JSON.parse(JSON.stringify(result));
