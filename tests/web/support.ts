// SPDX-License-Identifier: GPL-3.0-or-later
// A real collector on free ports, jobs that report to it by JSON datagrams, and a browser that looks at its page.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { accessSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

export class Collector {
  private process: ChildProcess | undefined;
  private readonly data = mkdtempSync(join(tmpdir(), 'macaw-web-'));
  port = 0;
  url = '';

  /** Starts on a free port, or on the one it had. */
  async start(): Promise<void> {
    const program = join(process.env.MACAW_BIN_DIR ?? '', 'macaw-collector');
    const options = ['--port', String(this.port), '--print-config', '--data', this.data, '--no-history'];
    const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.process = child;
    const config = await new Promise<{ port: number; http: string }>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`macaw-collector ended with ${code}; is MACAW_BIN_DIR set?`)));
      createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line)));
    });
    child.removeAllListeners('exit');
    this.port = config.port;
    this.url = config.http;
  }

  async kill(): Promise<void> {
    const child = this.process;
    if (!child) return;
    this.process = undefined;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** A job made by hand. What it is told is what it says: rows are whole, as the protocol wants them. */
export class FakeJob {
  readonly id = randomUUID();
  private seq = 0;
  private readonly socket = createSocket('udp4');
  private readonly start = Date.now() / 1000;

  constructor(
    private readonly collector: Collector,
    private readonly hello: Record<string, unknown>,
  ) {}

  report(rows: Record<string, unknown> = {}): Promise<void> {
    const up = Date.now() / 1000 - this.start;
    const hello = { start: this.start, host: 'node-1', pid: 4711, ...this.hello };
    const report = { v: 1, job: this.id, seq: ++this.seq, up, t: Date.now() / 1000, hello, ...rows };
    return new Promise((resolve, reject) =>
      this.socket.send(JSON.stringify(report), this.collector.port, '127.0.0.1', (error) =>
        error ? reject(error) : resolve(),
      ),
    );
  }

  close(): void {
    this.socket.close();
  }
}

function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = folders.flatMap((folder) =>
    ['chromium', 'chromium-browser', 'google-chrome'].map((n) => join(folder, n)),
  );
  const found = [process.env.MACAW_CHROMIUM ?? '', ...places].find((place) => {
    try {
      accessSync(place);
      return place !== '';
    } catch {
      return false;
    }
  });
  if (!found) throw new Error('no Chromium on PATH (or in MACAW_CHROMIUM)');
  return found;
}

export function launch(): Promise<Browser> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: findChromium(), args: asRoot });
}

export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
export const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
};

/** A page in a browser of its own, and everything that went wrong on it: errors, dialogs, refusals by the CSP. */
export async function open(browser: Browser, url: string, options = desktop): Promise<{ page: Page; wrong: string[] }> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (message) => {
    // Streams and fetches that fail while the collector is away are part of the play.
    if (message.type() === 'error' && !/ERR_|Failed to load resource/.test(message.text())) wrong.push(message.text());
  });
  page.on('dialog', (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, wrong };
}
