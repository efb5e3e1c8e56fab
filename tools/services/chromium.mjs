// @ts-check
import { existsSync } from 'node:fs';
import { PlainError } from '../workspace.mjs';
import { canInstallPackages, installPackages } from './debian-package.mjs';

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const find = () => programs.find((program) => existsSync(program));

/**
 * Finds Chromium, or installs it where `canInstallPackages` allows it.
 * @param {{ logFile: string, say: (line: string) => void }} options
 * @returns {Promise<string>} path of the program
 */
export async function findOrInstallChromium({ logFile, say }) {
  const otherwise = 'Install the package chromium.';
  if (!find()) {
    if (!canInstallPackages()) throw new PlainError(`Chromium was not found. ${otherwise}`);
    await installPackages({ names: ['chromium'], logFile, say, isThere: () => find() !== undefined, otherwise });
  }
  const found = find();
  if (!found) throw new PlainError(`Chromium was not found. ${otherwise}`);
  return found;
}
