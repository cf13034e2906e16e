// SPDX-License-Identifier: MIT
// A mirror without a collector, inside `vite` and `vite preview`: the stream and the routes of collector/mirror/API.md
// over the made-up jobs of simulation.ts. MACAW_STILL=1 keeps them from moving, for pictures.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connect, Plugin } from 'vite';
import { Simulation } from './simulation.ts';

function middleware(): Connect.NextHandleFunction {
  const simulation = new Simulation(Date.now());
  const browsers = new Set<ServerResponse>();
  let number = Date.now();
  const write = (to: ServerResponse, kind: string, data: unknown) =>
    to.write(`id: ${++number}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);

  let tick = 0;
  if (!process.env.MACAW_STILL)
    setInterval(() => {
      const events = simulation.step(++tick, Date.now());
      for (const browser of browsers) for (const { kind, data } of events) write(browser, kind, data);
    }, 200).unref();

  function stream(request: IncomingMessage, response: ServerResponse) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform' });
    response.write('retry: 1000\n\n');
    write(response, 'snapshot', {
      boot: 1,
      version: 'made up',
      now: new Date().toISOString(),
      jobs: [...simulation.jobs.values()],
    });
    browsers.add(response);
    request.on('close', () => browsers.delete(response));
  }

  return (request, response, next) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/events') return stream(request, response);
    const [, api, jobs, id = '', part] = url.pathname.split('/');
    if (api !== 'api' || jobs !== 'jobs') return next();
    const job = simulation.jobs.get(id);
    const lines = simulation.logs.get(id) ?? [];
    const answers: Record<string, unknown> = {
      log: { lines, first: 1, last: lines.at(-1)?.no ?? 0, lost: 0 },
      'metrics.json': simulation.series(id),
    };
    const answer = part
      ? answers[part]
      : id
        ? job
        : { now: new Date().toISOString(), jobs: [...simulation.jobs.values()] };
    response.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer ?? { title: 'Not found', status: 404 }));
  };
}

export function fakeMirror(): Plugin {
  return {
    name: 'macaw-fake-mirror',
    configureServer: (server) => void server.middlewares.use(middleware()),
    configurePreviewServer: (server) => void server.middlewares.use(middleware()),
  };
}
