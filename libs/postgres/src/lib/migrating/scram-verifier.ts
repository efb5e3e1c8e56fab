import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ITERATIONS = 4096;

/**
 * Returns a password in the form in which PostgreSQL stores it. Statements with this form leave no password in the logs
 * of the server. Source: RFC 5803, and the format of `pg_authid.rolpassword`.
 * @param password  printable ASCII. Other texts are refused, because PostgreSQL would have to prepare them with
 *   SASLprep
 * @throws {RangeError} for a password with other characters
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  if (!/^[\x20-\x7e]+$/.test(password))
    throw new RangeError('the password of a database role must consist of printable ASCII characters');
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}
