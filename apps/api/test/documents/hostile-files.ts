import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** A file that tries to harm the service or the people who open the file. */
export interface HostileFile {
  readonly title: string;
  /** The file name as the client sends it. */
  readonly name: string;
  readonly content: Buffer;
}

const MIB = 1024 * 1024;
const PDF = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n';
const HTML = '<!doctype html><script>alert(document.cookie)</script>';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>';
const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452ffffffffffffffff0802000000', 'hex'),
  Buffer.alloc(50),
]);
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');
const GIF = Buffer.from('GIF89a/*\u0000\u0000*/=1;');
const EXE = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100), Buffer.from('PE\0\0')]);

/** Makes a ZIP archive with one entry. The archive claims that the entry has the size `size`. */
function zip(name: string, data: Buffer, size = data.length): Buffer {
  const packed = deflateRawSync(data, { level: 9 });
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(typeof crc32 === 'function' ? crc32(data) : 0, 14);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(size, 22);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name), packed]);
}

const zeros = Buffer.alloc(100 * MIB);
const billionLaughs = `<?xml version="1.0"?><!DOCTYPE z [<!ENTITY a0 "ha">${Array.from(
  { length: 9 },
  (_, level) => `<!ENTITY a${level + 1} "${`&a${level};`.repeat(10)}">`,
).join('')}]><z>&a9;</z>`;

const named = (title: string, name: string): HostileFile => ({ title, name, content: Buffer.from(PDF) });
const filled = (title: string, name: string, content: Buffer | string): HostileFile => ({
  title,
  name,
  content: Buffer.from(content),
});

const FALSE_TYPES: readonly HostileFile[] = [
  filled('a program as PDF', 'cv.pdf', EXE),
  filled('a program as text', 'cv.txt', EXE),
  filled('an ELF program as picture', 'photo.png', Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(60)])),
  filled('a page as PDF', 'cv.pdf', HTML),
  filled('a page as page', 'cv.html', HTML),
  filled('a page in UTF-16', 'cv.pdf', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(HTML, 'utf16le')])),
  filled('a drawing with a script', 'photo.svg', SVG),
  filled('a drawing as picture', 'photo.png', SVG),
  filled('a script of a browser', 'cv.js', 'alert(1)'),
  filled('a script of a shell', 'cv.pdf', '#!/bin/sh\nrm -rf /\n'),
  filled('a script of a server', 'cv.php', '<?php system($_GET["c"]); ?>'),
  filled('settings of a web server', '.htaccess', 'AddType application/x-httpd-php .pdf'),
  filled('an application of HTML', 'cv.hta', '<script>new ActiveXObject("WScript.Shell")</script>'),
  filled('a shortcut', 'cv.url', '[InternetShortcut]\nURL=file:///etc/passwd\n'),
  filled('XML that reads a file', 'cv.xml', '<!DOCTYPE z [<!ENTITY f SYSTEM "file:///etc/passwd">]><z>&f;</z>'),
];

const NAMES: readonly HostileFile[] = [
  named('a path upwards', '../../../../etc/passwd'),
  named('a path upwards on Windows', '..\\..\\windows\\win.ini'),
  named('an absolute path', '/etc/cron.d/cv'),
  named('an absolute path on Windows', 'C:\\boot.ini'),
  named('a network path', '\\\\server\\share\\cv.pdf'),
  named('an address', 'file:///etc/passwd'),
  named('the folder itself', '.'),
  named('the folder above', '..'),
  named('a path that ends with a folder', 'cv.pdf/'),
  named('an encoded path', '%2e%2e%2f%2e%2e%2fetc%2fpasswd'),
  named('a path in full-width characters', '．．／．．／etc／passwd'),
  named('a device of Windows', 'CON'),
  named('a stream of Windows', 'cv.pdf::$DATA'),
  named('an option of a command', '-rf'),
  named('a command', '$(reboot).pdf'),
  named('a formula', '=HYPERLINK("http://evil.example.com")'),
  named('markup', '<img src=x onerror=alert(1)>.pdf'),
  named('quotes that end a header', 'cv.pdf"; filename="evil.html'),
  named('255 characters and more', `${'a'.repeat(5_000)}.pdf`),
  named('characters of four bytes', `${'💣'.repeat(300)}.pdf`),
  named('spaces alone', '   '),
];

const CONTROLS: readonly HostileFile[] = [
  ['a null character', '\u0000'],
  ['a line feed', '\n'],
  ['a header of its own', '\r\nContent-Type: text/html\r\n\r\n<script>'],
  ['an escape sequence', '\u001b[31m'],
  ['a bell', '\u0007'],
  ['a delete', '\u007f'],
  ['a control of C1', '\u0085'],
  ['a line separator', '\u2028'],
].map(([title = '', text = '']) => named(title, `cv${text}.pdf`));

const DIRECTIONS: readonly HostileFile[] = [
  ['an override', '\u202e'],
  ['an embedding', '\u202b'],
  ['an isolate', '\u2067'],
  ['a right-to-left mark', '\u200f'],
  ['an Arabic letter mark', '\u061c'],
].map(([title = '', mark = '']) => named(`${title} of the text direction`, `cv${mark}fdp.exe`));

const BOMBS: readonly HostileFile[] = [
  filled('an archive that grows a thousandfold', 'cv.zip', zip('a', zeros)),
  filled('an Office file whose list of types is a bomb', 'cv.docx', zip('[Content_Types].xml', zeros)),
  filled('an archive that lies about its size', 'cv.zip', zip('[Content_Types].xml', zeros, 100)),
  filled('a compressed bomb', 'cv.gz', gzipSync(zeros)),
  filled('a bomb in a bomb', 'cv.zip', zip('b.zip', zip('a', zeros))),
  filled('an archive with a path upwards', 'cv.zip', zip('../../../../etc/passwd', Buffer.from('root'))),
  filled('XML that expands to gigabytes', 'cv.xml', billionLaughs),
  filled('a picture of 16 billion pixels', 'photo.png', PNG),
];

const POLYGLOTS: readonly HostileFile[] = [
  filled('PDF and page', 'cv.pdf', `${PDF}${HTML}`),
  filled('PDF and archive', 'cv.pdf', Buffer.concat([Buffer.from(PDF), zip('a', Buffer.from('a'))])),
  filled('picture and script', 'photo.gif', GIF),
  filled('picture and page', 'photo.jpg', Buffer.concat([JPEG, Buffer.from(HTML)])),
];

/** An empty file, which the service refuses. */
export const EMPTY: HostileFile = filled('no bytes', 'cv.pdf', '');

export const HOSTILE_FILES: readonly HostileFile[] = [
  ...FALSE_TYPES,
  ...NAMES,
  ...CONTROLS,
  ...DIRECTIONS,
  ...BOMBS,
  ...POLYGLOTS,
];
