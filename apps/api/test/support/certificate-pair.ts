import { selfSigned } from '@ats/domain/testing';

interface Pair {
  readonly certificate: string;
  readonly private_key: string;
}

const pairs = new Map<string, Pair>();

/**
 * Returns a certificate and its private key, as bodies have them. All certificates have the same key. The certificates
 * of a host with the same validity are the same.
 * @param validity  days from now
 */
export function pairOf(
  host: string,
  validity: { readonly from?: number; readonly until?: number } = { until: 30 },
): Pair {
  const name = JSON.stringify([host, validity]);
  const known = pairs.get(name);
  if (known) return known;
  const { cert, key } = selfSigned({ host, ...validity });
  const made = { certificate: cert.replaceAll('\r\n', '\n'), private_key: key };
  pairs.set(name, made);
  return made;
}
