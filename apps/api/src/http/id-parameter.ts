/** Names an item by its id: the id, or what is wrong with it. */
export type IdParameter = { readonly id: number; readonly fault?: undefined } | { readonly fault: string };

const ID = /^[1-9]\d{0,15}$/;
const QUOTED_CHARACTERS = 40;

/** Reads a parameter that names an item by its id; undefined when it is not there. It may be given once. */
export function readIdParameter(parameters: URLSearchParams, name: string): IdParameter | undefined {
  const [text, ...others] = parameters.getAll(name);
  if (text === undefined) return undefined;
  if (others.length > 0) return { fault: `expected once, found ${others.length + 1} times` };
  const id = ID.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(id) ? { id } : { fault: `expected an id, found ${quote(text)}` };
}

function quote(text: string): string {
  const characters = [...text];
  return JSON.stringify(characters.length > QUOTED_CHARACTERS ? `${characters.slice(0, QUOTED_CHARACTERS).join('')}…` : text);
}
