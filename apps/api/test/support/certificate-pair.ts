import { selfSigned } from '@ats/domain/testing';

/** Makes a certificate and its private key, as bodies have them. All certificates have the same key. */
export function pairOf(
  host: string,
  validity: { readonly from?: number; readonly until?: number } = { until: 30 },
): { readonly certificate: string; readonly private_key: string } {
  const { cert, key } = selfSigned({ host, ...validity });
  return { certificate: cert.replaceAll('\r\n', '\n'), private_key: key };
}
