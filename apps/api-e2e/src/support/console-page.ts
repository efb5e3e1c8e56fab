import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const ROOT = join(__dirname, '../../../..');
const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
/** Maximum time in ms to wait for a page. A busy machine needs long. */
const WAIT_MS = 60_000;

/**
 * Opens the console in a real Chromium. Records errors of scripts, violations of the Content-Security-Policy and
 * requests to other origins. No page may cause any of them.
 */
export class ConsolePage {
  /** The recorded script errors, violations of the Content-Security-Policy, and requests to other origins. */
  readonly faults: string[] = [];
  /** Texts that the page wrote to the browser's console as errors. */
  readonly errors: string[] = [];
  /** Maps the path of each file of the console to the compressed bytes of the answers to it. */
  readonly bytes = new Map<string, number>();

  private constructor(
    private readonly browser: Browser,
    readonly page: Page,
    private readonly origin: string,
    private readonly allowed: readonly string[],
  ) {}

  /** @param allowed further origins to which pages may send requests */
  static async start(
    origin: string,
    { locale = 'en', allowed = [] }: { readonly locale?: string; readonly allowed?: readonly string[] } = {},
  ): Promise<ConsolePage> {
    const executablePath = execFileSync(process.execPath, ['tools/chromium.mjs'], {
      cwd: ROOT,
      encoding: 'utf8',
    }).trim();
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const context = await browser.newContext({ locale, viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(WAIT_MS);
    const result = new ConsolePage(browser, await context.newPage(), origin, [origin, ...allowed]);
    await result.#watch();
    return result;
  }

  async #watch(): Promise<void> {
    const { page, faults, allowed } = this;
    page.on('pageerror', (error) => void faults.push(`script: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
      if (/Content.Security.Policy|TrustedHTML|Trusted Type/i.test(message.text())) faults.push(message.text());
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && !allowed.includes(origin)) faults.push(`request to ${request.url()}`);
    });
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const paths = new Map<string, string>();
    session.on('Network.responseReceived', ({ requestId, response }) => void paths.set(requestId, response.url));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const { pathname } = new URL(paths.get(requestId) ?? 'about:blank');
      if (pathname.startsWith('/console')) this.bytes.set(pathname, encodedDataLength);
    });
  }

  async signIn(token: string, path = ''): Promise<void> {
    await this.page.goto(`${this.origin}/console/${path}`);
    await this.page.locator('input[name=token]').fill(token);
    await this.page.keyboard.press('Enter');
    await this.page.locator('nav a[aria-current]').waitFor();
  }

  /**
   * Loads a page. Returns the processor time of its main thread in ms, which other load on the machine hardly changes.
   */
  async cpuOf(path: string): Promise<number> {
    const session = await this.page.context().newCDPSession(this.page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const read = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
    };
    const before = await read();
    await this.open(path);
    const after = await read();
    await session.detach();
    // The processor time starts at 0 again when the page gets a new process.
    return after >= before ? after - before : after;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.origin}/console/${path}`);
    await this.page.locator('main h1').waitFor();
  }

  /** Activates a button by keyboard. */
  async press(name: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).last().focus();
    await this.page.keyboard.press('Enter');
  }

  /** Opens the table below a chart, and returns its text. */
  async figuresOf(title: string): Promise<string> {
    const chart = this.page.locator('ats-chart', { hasText: title });
    await chart.locator('summary').click();
    return chart.locator('table').innerText();
  }

  /** Returns the violations that all rules of axe find in the page now. */
  async axe(): Promise<readonly string[]> {
    // The Content-Security-Policy of the page does not apply to code that the debugger runs.
    await this.page.evaluate(AXE);
    return this.page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { target: string[]; html: string }[] }[] }> };
      };
      const { violations } = await axe.run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
    });
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}
