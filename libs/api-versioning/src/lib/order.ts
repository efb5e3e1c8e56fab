const VERSION = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/;

export const isVersion = (text: string): boolean => VERSION.test(text);

/** Compares two versions by number: 1.10 follows 1.9. A text that is not a version comes first. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  return left.major - right.major || left.minor - right.minor;
}

function partsOf(version: string): { readonly major: number; readonly minor: number } {
  const [, major = '-1', minor = '-1'] = VERSION.exec(version) ?? [];
  return { major: Number(major), minor: Number(minor) };
}
