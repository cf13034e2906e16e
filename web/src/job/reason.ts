// SPDX-License-Identifier: MIT
// Why a job is not well, in sentences that hold only facts we have. Pure.
import type { Maybe } from '../api/types';
import { duration, exact, fraction, measured, num, percent, text } from '../format/format';
import { mainBar, stillFor } from '../list/line';
import { elapsed, type HeldJob } from '../stream/state';

export interface Reason {
  readonly title: string;
  readonly what: string;
  readonly before: string;
}

const signals: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
  24: 'SIGXCPU',
};
const signalName = (signal: number) => signals[signal] ?? `signal ${signal}`;

/** Undefined when all is well. `now` is the page's clock, `skew` what the collector's is ahead. */
export function reason(job: HeldJob, now: number, skew: number): Reason | undefined {
  switch (job.state) {
    case 'failed':
      return failed(job, now);
    case 'stalled': {
      const still = stillFor(job, now);
      const inner = job.stages.filter((stage) => num(stage.open) > 0).at(-1);
      const takes = inner && num(inner.count) > 0 ? ` ${inner.path.at(-1)} usually takes ${usual(inner.avg)}.` : '';
      return {
        title: still === undefined ? 'No progress any more.' : `No progress for ${duration(still)}.${takes}`,
        what: `The process is alive${cores(job)}.`,
        before: '',
      };
    }
    case 'no contact': {
      const silent = (now + skew - Date.parse(job.last_contact ?? '')) / 1000;
      return {
        title: Number.isFinite(silent)
          ? `Last heard ${duration(Math.max(0, silent))} ago.`
          : 'Nothing is heard any more.',
        what: 'The job may still run; it comes back here by itself.',
        before: '',
      };
    }
    case 'interrupted': {
      const how = job.exit_signal && job.exit_signal !== 2 ? `by ${signalName(job.exit_signal)}` : 'with Ctrl-C';
      const bar = mainBar(job);
      const done = bar && fraction(bar.n, bar.total);
      return {
        title: `Stopped ${how}${done === undefined ? '' : ` at ${percent(done)}`}.`,
        what: after(job, now),
        before: '',
      };
    }
    case 'ended early': {
      const bar = mainBar(job);
      const short = bar?.total
        ? `, but only ${exact(bar.n)} of ${exact(bar.total)} were done`
        : ', but its work was not done';
      return { title: `Exit code ${job.exit_code ?? 0}${short}.`, what: after(job, now), before: '' };
    }
    default:
      return undefined;
  }
}

/** A short time keeps its digits: 800 ms, not 0 s. */
const usual = (avg: Maybe<number>) => (num(avg) < 60 ? text(measured(avg)) : duration(avg));

const after = (job: HeldJob, now: number) => `After ${duration(elapsed(job, now))}.`;

function cores(job: HeldJob): string {
  const rate = job.usage?.cpu_rate;
  return typeof rate === 'number' ? ` and uses ${rate.toFixed(1)} cores` : '';
}

function failed(job: HeldJob, now: number): Reason {
  const ran = duration(elapsed(job, now));
  const inner = job.stages
    .filter((stage) => num(stage.open) > 0)
    .at(-1)
    ?.path.at(-1);
  const bar = mainBar(job);
  const at = bar ? `${bar.desc ? `${bar.desc} ` : ''}${exact(bar.n)}${bar.total ? ` of ${exact(bar.total)}` : ''}` : '';
  const place = [inner, at].filter(Boolean).join(', ');
  const code =
    job.exit_code === null || job.exit_code === undefined
      ? `After ${ran}.`
      : `Exit code ${job.exit_code} after ${ran}.`;
  const before = firstBroken(job);
  if (job.error?.type) {
    const title = job.error.message ? `${job.error.type}: ${job.error.message}` : job.error.type;
    return { title, what: place ? `Raised in ${place}. ${code}` : code, before };
  }
  if (job.exit_signal)
    return {
      title: `Killed by ${signalName(job.exit_signal)} after ${ran}.`,
      what: place && `It was in ${place}.`,
      before,
    };
  return { title: code, what: place && `It was in ${place}.`, before };
}

function firstBroken(job: HeldJob): string {
  for (const [name, metric] of Object.entries(job.metrics)) {
    const step = metric.first_nonfinite?.step;
    if (step !== null && step !== undefined)
      return `The metric ${name} first stopped being a number at step ${exact(step)}.`;
  }
  return '';
}
