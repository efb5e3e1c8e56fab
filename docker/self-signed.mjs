// @ts-check
// Makes self-signed certificates (X.509, RFC 5280) with Node alone: the image has neither openssl nor packages for this.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

const DAY_MS = 86_400_000;

/** Encodes one value in DER. @param {number} tag @param {readonly Uint8Array[]} parts */
function der(tag, ...parts) {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

/** @param {readonly Uint8Array[]} parts */
const sequence = (...parts) => der(0x30, ...parts);
/** @param {string} hex  the encoded identifier, without tag and length */
const identifier = (hex) => der(0x06, Buffer.from(hex, 'hex'));
/** Encodes a time before 2050. @param {Date} time */
const time = (time) =>
  der(
    0x17,
    Buffer.from(
      `${time
        .toISOString()
        .replaceAll(/[-:T]|\..*/g, '')
        .slice(2)}Z`,
    ),
  );
const TRUE = der(0x01, Buffer.from([0xff]));
const ECDSA_WITH_SHA256 = sequence(identifier('2a8648ce3d040302'));
const COMMON_NAME = '550403';
const BASIC_CONSTRAINTS = '551d13';
const EXTENDED_KEY_USAGE = '551d25';
const SERVER_AUTHENTICATION = '2b06010505070301';
const SUBJECT_ALTERNATIVE_NAME = '551d11';

/** Encodes a name of the server. @param {string} host */
const serverName = (host) =>
  isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));

/** @param {string} id @param {Uint8Array} content @param {{ isCritical?: boolean }} [options] */
const extension = (id, content, { isCritical = false } = {}) =>
  sequence(identifier(id), ...(isCritical ? [TRUE] : []), der(0x04, content));

/**
 * Makes a key and a certificate for a TLS server, as PEM.
 * @param {{ hosts: readonly string[], days: number }} options  `hosts` are names or IPv4 addresses
 */
export function selfSigned({ hosts, days }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(identifier(COMMON_NAME), der(0x0c, Buffer.from(hosts[0] ?? '')))));
  const now = Date.now();
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // Field 0 is the version. The value 2 means X.509 version 3.
    der(0x02, Buffer.from([0x40]), randomBytes(15)), // The byte 0x40 makes the serial number positive.
    ECDSA_WITH_SHA256,
    name,
    // The certificate is valid from an hour ago, because the clock of a client may be slow.
    sequence(time(new Date(now - DAY_MS / 24)), time(new Date(now + days * DAY_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension(BASIC_CONSTRAINTS, sequence(), { isCritical: true }),
        extension(EXTENDED_KEY_USAGE, sequence(identifier(SERVER_AUTHENTICATION))),
        extension(SUBJECT_ALTERNATIVE_NAME, sequence(...hosts.map(serverName))),
      ),
    ),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = sequence(content, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = certificate.toString('base64').replaceAll(/.{1,64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
