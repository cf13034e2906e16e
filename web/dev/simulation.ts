// SPDX-License-Identifier: MIT
// Made-up jobs in every state, two of them moving, for `vite` without a collector and for pictures. Deterministic but
// for the clock that comes in.
import type { Bar, Job, LogLine, Metric, SeriesByName, Stage, State } from '../src/api/types.ts';

const minute = 60;
const hour = 3600;

function noise(seed: number): number {
  const x = Math.sin(seed * 12.9898) * 43758.5453;
  return x - Math.floor(x);
}

type Spec = [
  path: string,
  count: number,
  total: number,
  self: number,
  min: number,
  max: number,
  std: number,
  note?: string,
];
function stage([path, count, total, self, min, max, std, note]: Spec): Stage {
  const name = path.split('/').at(-1) ?? '';
  return {
    path: path.split('/'),
    kind: name.includes('.') ? 'call' : 'stage',
    count,
    total,
    self,
    min,
    max,
    std,
    note,
    avg: total / count,
    last: (total / count) * 1.01,
    open: 0,
    errors: 0,
  };
}

const trainStages: Stage[] = (
  [
    ['epoch', 41, 9072, 82.1, 208.8, 241.2, 6.2],
    ['epoch/train_step', 52062, 8136, 54, 0.148, 1.92, 0.0214],
    ['epoch/train_step/forward', 52062, 2508, 1674, 0.0469, 0.312, 0.00311, 'batch 32'],
    ['epoch/train_step/forward/torch.nn.functional.interpolate', 52062, 508, 508, 0.00941, 0.0382, 412e-6],
    ['epoch/train_step/forward/cross_entropy', 52062, 324.6, 324.6, 0.0061, 0.0141, 221e-6],
    ['epoch/train_step/backward', 52062, 4620, 2676, 0.084, 1.71, 0.0179],
    ['epoch/train_step/backward/all_reduce', 52062, 1944, 1944, 0.0182, 1.58, 0.0168, '1.31 GB over nccl'],
    ['epoch/train_step/torch.optim.AdamW.step', 52061, 936, 936, 0.0176, 0.0447, 613e-6],
    ['epoch/evaluate', 8, 448.2, 1.61, 54.8, 58.9, 1.21],
    ['epoch/evaluate/tile_inference', 4000, 388.2, 388.2, 0.093, 0.14, 0.00402, '1024 px, stride 768'],
    ['epoch/evaluate/numpy.histogram2d', 4000, 58.4, 58.4, 0.0141, 0.0198, 518e-6, 'shape=(19, 19)'],
    ['epoch/data_wait', 52063, 372.6, 49.8, 18.4e-6, 0.412, 0.0193],
    ['epoch/data_wait/torch.utils.data.DataLoader.fetch', 52063, 322.8, 322.8, 11.2e-6, 0.41, 0.0191, 'dtype=float32'],
    ['epoch/save_checkpoint', 41, 47.6, 0.412, 0.983, 3.31, 0.381, 'e060.pt'],
    ['epoch/save_checkpoint/torch.save', 41, 47.2, 47.2, 0.974, 3.3, 0.38, '1.3 GB'],
    ['build_model', 1, 14.2, 2.3, 14.2, 14.2, 0],
    ['build_model/torch.load', 1, 11.9, 11.9, 11.9, 11.9, 0, 'segformer_b5_imagenet.pth'],
  ] satisfies Spec[]
).map(stage);

const traceback = `Traceback (most recent call last):
  File "/home/lin/poisson_multigrid_3d.py", line 212, in <module>
    main(parse_args())
  File "/home/lin/poisson_multigrid_3d.py", line 187, in main
    u, hist = vcycle(u, f, levels=6)
              ^^^^^^^^^^^^^^^^^^^^^^
  File "/home/lin/mg/cycle.py", line 64, in vcycle
    e = vcycle(restrict(r), zero, level + 1)
  File "/home/lin/mg/smooth.py", line 31, in smooth
    x = scipy.linalg.solve_banded((1, 1), ab, rhs)
  File "/usr/lib/python3/dist-packages/scipy/linalg/_basic.py", line 559, in solve_banded
    a1 = _asarray_validated(ab, check_finite=check_finite, as_inexact=True)
  File "/usr/lib/python3/dist-packages/scipy/_lib/_util.py", line 412, in _asarray_validated
    a = toarray(a)
ValueError: array must not contain infs or NaNs`;

export class Simulation {
  readonly jobs = new Map<string, Job>();
  readonly logs = new Map<string, LogLine[]>();

  constructor(private readonly start: number) {
    this.#add('poisson_multigrid_3d.py', 'login1', 'failed', 2 * hour + 14 * minute, {
      bars: [bar(1, 'V-cycle', 1284, 2000), bar(2, 'level', 3, 6, { parent: 1 })],
      exit_code: 1,
      error: { type: 'ValueError', message: 'array must not contain infs or NaNs', traceback },
      tags: { n: '256', omega: '1.85' },
      metrics: {
        residual: {
          value: 'nan',
          step: 1284,
          up: 8000,
          recent: [...curveOf(50, 1), 'nan'],
          first_nonfinite: { step: 1281, up: 7990 },
        },
        omega: { value: 1.85, step: 1284, up: 8000, recent: curveOf(60, 2) },
      },
      stages: [stage(['vcycle', 1284, 7900, 100, 6, 7, 0.2]), stage(['vcycle/smooth', 9000, 7000, 500, 0.4, 0.9, 0.1])],
    });
    this.#add('lofar_subband_fft_pipeline.jl', 'gpu-02', 'stalled', 3 * hour, {
      bars: [bar(1, 'subband', 105, 244)],
      stages: [{ ...stage(['fft', 105, 84, 84, 0.7, 0.9, 0.1]), open: 1, since: 14 * minute }],
      usage: { rss: 127e9, peak: 128e9, cpu_rate: 0 },
    });
    this.#add('mcmc_exoplanet_gj1148b_chains.py', 'node-117', 'no contact', 5 * hour, {
      bars: [bar(1, 'draw', 7120, 10000)],
    });
    this.#add('etl_parquet_compact.sh', 'etl-1', 'ended early', 41 * minute, {
      bars: [bar(1, 'file', 1180, 1200)],
      exit_code: 0,
    });
    this.#train();
    const sweep = this.#add('sweep_unet_lr.py', 'gpu-01', 'running', 2 * hour + 20 * minute, {
      bars: [bar(1, 'run', 2, 6, { eta: 4 * hour + 50 * minute })],
    });
    this.#add('lr=1e-3', 'gpu-01', 'running', hour + 6 * minute, {
      parent: sweep,
      bars: [bar(1, 'epoch', 884, 1000, { eta: 480, rate: 0.2 })],
    });
    this.#add('lr=3e-4', 'gpu-03', 'no contact', 9 * minute, { parent: sweep, bars: [bar(1, 'epoch', 121, 1000)] });
    this.#add('heat2d_adi_solver', 'ws-lin', 'running', 14 * minute, {
      bars: [bar(1, 'step', 38500, 100000, { eta: 22 * minute })],
    });
    this.#add('nyc_taxi_2009_2026.py', 'etl-1', 'running', 2 * hour + 6 * minute, {
      bars: [bar(1, 'rows', 3_410_000, undefined, { unit: 'rows', rate: 451 })],
    });
    this.#add('train_segformer_b2_baseline.py', 'gpu-04', 'finished', 2 * hour + 58 * minute, {
      bars: [bar(1, 'epoch', 100, 100, { state: 'done' })],
      exit_code: 0,
    });
    this.#add('bench_cufft_plans.py', 'gpu-02', 'interrupted', 6 * minute + 12, {
      bars: [bar(1, 'plan', 37, 100)],
      exit_signal: 2,
    });
    this.#add('<img src=x onerror=alert(1)>.py', '</script>', 'finished', 48 * minute + 20, { exit_code: 0 });
  }

  #add(name: string, host: string, state: State, elapsed: number, more: Partial<Job>): string {
    const no = this.jobs.size + 1;
    const id = `00000000-0000-4000-8000-${String(no).padStart(12, '0')}`;
    const ended = !['running', 'stalled', 'no contact'].includes(state);
    const silent = state === 'no contact' ? 4 * minute : 0;
    const started = this.start - (elapsed + silent + (ended ? no * 13 * minute : 0)) * 1000;
    this.jobs.set(id, {
      id,
      name,
      host,
      state,
      elapsed,
      pid: 48000 + no * 97,
      started: new Date(started).toISOString(),
      last_contact: new Date(this.start - silent * 1000).toISOString(),
      bars: [],
      stages: [],
      metrics: {},
      tags: {},
      lost: { datagrams: 0, logs: 0, metrics: 0 },
      ...more,
    });
    this.logs.set(id, []);
    return id;
  }

  #train() {
    const metrics: Record<string, Metric> = {};
    for (const [i, name] of ['loss', 'val_loss', 'miou', 'lr', 'grad_norm', 'img_per_s'].entries())
      metrics[name] = {
        value: [0.3142, 0.3871, 0.7914, 3.1e-4, 'nan', 411][i] ?? 0,
        step: 77062,
        up: 9120,
        recent: curveOf(60, i + 3),
      };
    metrics.is_best = { value: true, step: 77062, up: 9120 };
    metrics.note = { value: 'warm restart', step: 77062, up: 9120 };
    const open: Record<string, number> = { epoch: 127, train_step: 0.141, backward: 0.098, all_reduce: 0.0846 };
    const id = this.#add('train_segformer_b5_cityscapes.py', 'gpu-04', 'running', 2 * hour + 32 * minute, {
      tags: { seed: '7', lr: '6e-4', ranks: '4' },
      bars: [
        bar(1, 'epoch', 61, 100, {
          initial: 20,
          rate: 16.5 / hour,
          eta: 2 * hour + 19 * minute,
          eta_range: [7800, 8880],
        }),
        bar(2, 'train batch', 812, 1250, { parent: 1, rate: 6.42, eta: 68 }),
        bar(3, 'prefetch shard', 1280, 1200, { parent: 2, rate: 18.1 }),
        bar(4, 'evaluate tiles', 3417, undefined, { parent: 1, rate: 214 }),
      ],
      stages: trainStages.map((s) => {
        const since = open[s.path.at(-1) ?? ''];
        return since === undefined ? s : { ...s, open: 1, since };
      }),
      metrics,
      usage: { rss: 41.6e9, peak: 58.2e9, cpu_rate: 6.2, cpu: 56000, threads: 48 },
      lost: { datagrams: 4, logs: 3, metrics: 0 },
    });
    const lines = this.logs.get(id) ?? [];
    for (let i = 0; i < 2400; ++i) this.#line(lines, i, this.start - (2400 - i) * 1800);
  }

  #line(lines: LogLine[], i: number, time: number): LogLine | undefined {
    const no = i + 1;
    if (no > 2380 && no < 2384) return undefined;
    const step = 76000 + i * 2;
    let level: LogLine['level'] = 'info';
    let text =
      i % 3
        ? `loader: shard ${i % 1250} of 1,250 ready, queue 32`
        : `step ${step} loss ${(0.3 + noise(i) / 50).toFixed(4)} miou 0.7909 411 img/s`;
    if (i % 170 === 23) [level, text] = ['warning', 'loader worker 7 slow: 412 ms for one sample'];
    if (i === 2389)
      [level, text] = [
        'error',
        'rank 3: RuntimeError: NCCL communicator was aborted on rank 3, retrying once\n  File "train_segformer_b5_cityscapes.py", line 318, in reduce_grads\n    dist.all_reduce(bucket.buffer(), group=pg)\nRuntimeError: NCCL communicator was aborted on rank 3',
      ];
    const line: LogLine = { no, level, text, up: i * 1.8, time: new Date(time).toISOString() };
    lines.push(line);
    return line;
  }

  /** One step of the two jobs that move; the deltas to send. */
  step(tick: number, now: number): { kind: 'job' | 'log'; data: object }[] {
    const [train] = [...this.jobs.values()].filter((job) => job.name?.startsWith('train_segformer_b5'));
    if (!train) return [];
    const elapsed = (now - Date.parse(train.started ?? '')) / 1000;
    const n = 812 + (tick % 438);
    const bars = [{ id: 2, n, eta: (1250 - n) / 6.42 }];
    const loss = 0.3 + noise(tick) / 50;
    const metrics = { loss: { value: loss, step: 77062 + tick, up: elapsed, recent: curveOf(60, 3, tick) } };
    const stages = trainStages
      .slice(1, 3)
      .map((s) => ({ path: s.path, count: Number(s.count) + tick, total: s.total + tick * 0.156 }));
    const events: { kind: 'job' | 'log'; data: object }[] = [
      { kind: 'job', data: { id: train.id, elapsed, bars, metrics, stages } },
    ];
    if (tick % 5 === 0) {
      const lines = this.logs.get(train.id) ?? [];
      const line = this.#line(lines, lines.at(-1)?.no ?? 0, now);
      if (line) events.push({ kind: 'log', data: { id: train.id, lines: [line], last: line.no } });
    }
    return events;
  }

  series(id: string): SeriesByName {
    const names = Object.entries(this.jobs.get(id)?.metrics ?? {}).filter(
      ([, m]) => typeof m.value === 'number' || m.value === 'nan',
    );
    return Object.fromEntries(
      names.map(([name], i) => {
        const value: (number | string)[] = curveOf(400, i + 3);
        if (name === 'grad_norm') value[290] = value[370] = 'nan';
        return [name, { step: value.map((_, k) => k * 192), up: value.map((_, k) => k * 22), value }];
      }),
    );
  }
}

function bar(id: number, desc: string, n: number, total?: number, more: Partial<Bar> = {}): Bar {
  return { id, desc, n, total, state: 'running', elapsed: 1000 / id, ...more };
}

function curveOf(points: number, seed: number, from = 0): number[] {
  return Array.from(
    { length: points },
    (_, i) => 0.3 + 2 * Math.exp((-5 * i) / points) + noise(seed * 1000 + i + from) * 0.1,
  );
}
