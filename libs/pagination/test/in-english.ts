/** A result as who reads English gets it: messages are their texts in JSON. */
export const inEnglish = (result: unknown): unknown => JSON.parse(JSON.stringify(result));
