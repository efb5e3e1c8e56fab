import { VERSIONS } from '../versions/versions.js';
import { escaped } from '../vocabulary/escape-html.js';
import { document } from './html.js';

/**
 * The reference page of one version. It loads the Redoc bundle and `/openapi.json`. URLs are relative, so the page
 * works below a `PUBLIC_BASE_URL` with a path.
 * @param nonce  nonce of the answer's Content-Security-Policy; scripts and styles without it are blocked
 */
export function referencePage(nonce: string, version: string): string {
  const address = `openapi.json?version=${version}`;
  const body = `<header>
<details><summary>Version ${escaped(version)}</summary><ul>
${[...VERSIONS.declarations]
  .reverse()
  .map((other) => choice(other, version))
  .join('\n')}
</ul></details>
<a href="docs/changelog">Changelog</a>
</header>
<main id="reference"></main>
<noscript><p>This page needs JavaScript. <a href="${address}">openapi.json</a> has the same content for programs.</p></noscript>
<script nonce="${nonce}" src="docs/redoc.standalone.js"></script>
<script nonce="${nonce}">Redoc.init('${address}', ${JSON.stringify({ ...OPTIONS, nonce })}, document.getElementById('reference'))</script>`;
  return document({ title: `reference of version ${version}`, nonce, style: STYLE, body });
}

function choice({ version, date, status }: (typeof VERSIONS.declarations)[number], current: string): string {
  const remark = version === VERSIONS.default ? 'default' : status === 'stable' ? '' : status;
  const text = `<a href="docs?version=${version}"${version === current ? ' aria-current="page"' : ''}>${version}</a>`;
  return `<li>${text} <time>${date}</time> ${remark}</li>`;
}

/** Uses the fonts of the reader's system. */
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const MONOSPACE = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

/** Options of Redoc. Source: https://redocly.com/docs/redoc/v2.x/config. */
const OPTIONS = {
  sortRequiredPropsFirst: true,
  jsonSampleExpandLevel: 2,
  schemaExpansionLevel: 1,
  hideSchemaPattern: false,
  menuToggle: true,
  theme: {
    typography: {
      fontFamily: FONT,
      fontSize: '15px',
      headings: { fontFamily: FONT, fontWeight: '600' },
      code: { fontFamily: MONOSPACE, fontSize: '13px', color: '#1f2937' },
    },
    colors: { primary: { main: '#1d4ed8' } },
    sidebar: { width: '280px' },
    rightPanel: { backgroundColor: '#1f2937' },
  },
};

const STYLE = `noscript p { margin: 2rem }
header { display: flex; gap: 1.5rem; padding: .6rem 20px; background: #1f2937; color: #fff }
header a { color: #fff }
summary { cursor: pointer }
details { position: relative }
details ul { position: absolute; z-index: 10; top: 1.6rem; left: 0; margin: 0; padding: .6rem 1rem; list-style: none; white-space: nowrap;
  background: #fff; color: #1f2937; border: 1px solid #d1d5db; border-radius: 4px; box-shadow: 0 4px 12px #0003 }
details li { padding: .2rem 0 }
details li a { display: inline-block; min-width: 2.5rem; color: #1d4ed8 }
details li [aria-current] { font-weight: 600 }
time { color: #6b7280; font-variant-numeric: tabular-nums }`;
