// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gallery/fake_jobs.hpp"

#include <cmath>
#include <limits>
#include <random>

namespace macaw::widgets::fake {

namespace {

using namespace model;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double minute = 60, hour = 3600, day_s = 86400;

// Collects the parts of a job and hands out the finished value.
class Builder {
 public:
  Builder(std::uint8_t number, const std::string& name, const std::string& host, State state, double up) {
    m_job.id.fill(number);
    m_identity.name = name;
    m_identity.host = host;
    m_identity.user = "lin";
    m_identity.pid = 20000 + number * 317;
    m_identity.lang = "python 3.12.4";
    m_identity.sdk = "macaw 0.1.0";
    m_identity.cwd = "/home/lin/runs";
    m_identity.argv = {"python", name};
    m_job.state = state;
    m_job.up = up;
    m_job.heard = moment.monotonic - 0.1;
    m_job.heard_unix = moment.unix_time - 0.1;
    m_job.started = moment.unix_time - up;
  }

  Builder& tag(const std::string& key, const std::string& value) {
    m_identity.tags[key] = value;
    return *this;
  }
  Builder& pid(std::int64_t value) {
    m_identity.pid = value;
    return *this;
  }
  Builder& child_of(const JobPtr& parent) {
    m_identity.parent = parent->id;
    return *this;
  }
  Builder& silent_for(double seconds) {
    m_job.heard -= seconds;
    m_job.heard_unix -= seconds;
    m_job.started -= seconds;
    return *this;
  }
  Builder& clock_ahead(double seconds) {
    m_job.skew = seconds;
    return *this;
  }
  Builder& ended_ago(double seconds, std::optional<std::int64_t> code, std::optional<std::int64_t> signal = {}) {
    m_job.ended = m_job.up;
    m_job.exit_code = code;
    m_job.exit_signal = signal;
    return silent_for(seconds);
  }
  Builder& error(const std::string& type, const std::string& message, const std::string& traceback) {
    m_job.error = std::make_shared<const Error>(Error{type, message, traceback});
    return *this;
  }
  Builder& bar(Bar bar) {
    bar.id = m_job.bars.size() + 1;
    m_job.bars.push_back(std::make_shared<const Bar>(std::move(bar)));
    return *this;
  }
  Builder& stage(Path path, std::uint64_t count, double total, double self, double spread = 0.12,
                 const std::string& note = {}, std::optional<double> since = {}, double drift = 0) {
    Stage s;
    s.path = std::move(path);
    s.kind = s.path.back().find('.') == std::string::npos ? StageKind::stage : StageKind::call;
    s.count = count;
    s.total = total;
    s.self = self;
    s.note = note;
    s.since = since;
    s.told = m_job.up;
    s.open = since ? 1 : 0;
    const double mean = s.avg();
    if (count > 1) {
      s.min = mean * (1 - spread / 2);
      s.max = mean * (1 + spread * 3);
      s.m2 = std::pow(mean * spread, 2) * static_cast<double>(count - 1);
      for (int i = 0; i < 28; ++i)
        s.trend.push_back(static_cast<float>(mean * (1 + noise(spread / 2) + (i > 16 ? drift * (i - 16) / 12 : 0))));
    } else {
      s.min = s.max = mean;
    }
    s.last = count ? mean * (1 + noise(spread)) : 0;
    m_job.stages.push_back(std::make_shared<const Stage>(std::move(s)));
    return *this;
  }
  template <typename Curve>
  Builder& metric(const std::string& name, int n, std::int64_t stride, Curve curve) {
    Metric m;
    m.name = name;
    auto points = std::make_shared<std::vector<Point>>();
    for (int i = 0; i < n; ++i) {
      const double x = static_cast<double>(i) / std::max(1, n - 1);
      points->push_back({Number{stride * i}, m_job.up * x, Value{curve(x)}});
      if (const double* v = std::get_if<double>(&points->back().value); v && !std::isfinite(*v) && !m.first_nonfinite)
        m.first_nonfinite = points->back();
    }
    m.points = points->size();
    m.latest = points->back();
    m.chunks.push_back(std::move(points));
    m_job.metrics.push_back(std::make_shared<const Metric>(std::move(m)));
    return *this;
  }
  Builder& log(double before_end, LogLevel level, const std::string& text) {
    m_lines.push_back({m_next_line++, m_job.up - before_end, level, text, {}, 0});
    return *this;
  }
  // Lines that were sent and never arrived.
  Builder& lose_lines(std::uint64_t n) {
    m_next_line += n;
    m_job.lost = {n, n, 0};
    return *this;
  }
  Builder& usage(double cores, double rss, double peak, std::int64_t threads, std::vector<double> gpu = {}) {
    Usage u;
    u.rss = static_cast<std::int64_t>(rss);
    u.peak = static_cast<std::int64_t>(peak);
    u.threads = threads;
    u.cpu_rate = cores;
    u.cpu = cores * m_job.up;
    u.gpu = std::move(gpu);
    m_job.usage = std::make_shared<const Usage>(std::move(u));
    return *this;
  }
  Builder& git(const std::string& commit, const std::string& branch, bool dirty) {
    m_identity.git_commit = commit;
    m_identity.git_branch = branch;
    m_identity.git_dirty = dirty;
    return *this;
  }

  double noise(double size) { return std::uniform_real_distribution<>(-size, size)(m_random); }

  JobPtr done() {
    Log log;
    log.lines = m_lines.size();
    if (!m_lines.empty()) {
      log.first_no = m_lines.front().no;
      log.last_no = m_lines.back().no;
      for (std::size_t i = 0; i < m_lines.size(); i += Log::chunk_lines) {
        const auto from = m_lines.begin() + static_cast<std::ptrdiff_t>(i);
        const auto to = m_lines.begin() + static_cast<std::ptrdiff_t>(std::min(i + Log::chunk_lines, m_lines.size()));
        log.chunks.push_back(std::make_shared<const std::vector<LogLine>>(from, to));
      }
    }
    m_job.log = std::make_shared<const Log>(std::move(log));
    m_job.identity = std::make_shared<const Identity>(m_identity);
    return std::make_shared<const Job>(m_job);
  }

 private:
  Job m_job;
  Identity m_identity;
  std::vector<LogLine> m_lines;
  std::uint64_t m_next_line = 1;
  std::mt19937 m_random{7};
};

Bar counted(const std::string& desc, std::int64_t n, std::optional<std::int64_t> total, double elapsed,
            std::optional<double> rate, std::optional<double> eta, std::optional<std::uint64_t> parent = {}) {
  Bar b;
  b.desc = desc;
  b.n = n;
  if (total) b.total = *total;
  b.elapsed = elapsed;
  b.rate = rate;
  b.eta = eta;
  b.parent = parent;
  return b;
}

JobPtr simple(std::uint8_t number, const std::string& name, const std::string& host, double up, Bar bar) {
  return Builder(number, name, host, State::running, up).bar(std::move(bar)).usage(1, 2.1e8, 2.4e8, 4).done();
}

}  // namespace

JobPtr training() {
  Builder b(1, "train_segformer_b5_cityscapes.py", "gpu-04", State::running, 2 * hour + 32 * minute + 10);
  b.pid(48291).tag("seed", "7").tag("lr", "6e-4").tag("ranks", "4").git("4be1c09d5a21", "main", true);
  Bar epoch = counted("epoch", 61, 100, 8880, 16.5 / hour, 2 * hour + 19 * minute);
  epoch.initial = std::int64_t{20};
  epoch.eta_range = {2 * hour + 10 * minute, 2 * hour + 28 * minute};
  b.bar(epoch)
      .bar(counted("train batch", 812, 1250, 126, 6.42, 68, 1))
      .bar(counted("prefetch shard", 1280, 1200, 70, 18.1, {}, 2))
      .bar(counted("evaluate tiles", 3417, {}, 16, 214, {}, 1));
  b.stage({"epoch"}, 41, 2.52 * hour, 82.1, 0.03, {}, 127.0)
      .stage({"epoch", "train_step"}, 52062, 2.26 * hour, 54, 0.14, {}, 0.141)
      .stage({"epoch", "train_step", "forward"}, 52062, 41.8 * minute, 27.9 * minute, 0.06, "batch 32")
      .stage({"epoch", "train_step", "forward", "torch.nn.functional.interpolate"}, 52062, 508, 508, 0.05,
             "shape=(32, 19, 512, 1024)")
      .stage({"epoch", "train_step", "forward", "cross_entropy"}, 52062, 325, 325, 0.04)
      .stage({"epoch", "train_step", "backward"}, 52062, 77.0 * minute, 44.6 * minute, 0.2, {}, 0.0982)
      .stage({"epoch", "train_step", "backward", "all_reduce"}, 52062, 32.4 * minute, 32.4 * minute, 0.25,
             "1.31 GB over nccl", 0.0846, 0.8)
      .stage({"epoch", "train_step", "torch.optim.AdamW.step"}, 52061, 937, 937, 0.05)
      .stage({"epoch", "evaluate"}, 8, 448, 1.61, 0.02)
      .stage({"epoch", "evaluate", "tile_inference"}, 4000, 388, 388, 0.04, "1024 px, stride 768")
      .stage({"epoch", "evaluate", "numpy.histogram2d"}, 4000, 58.4, 58.4, 0.04, "shape=(19, 19) dtype=float64")
      .stage({"epoch", "data_wait"}, 52063, 373, 49.8, 0.9)
      .stage({"epoch", "data_wait", "torch.utils.data.DataLoader.fetch"}, 52063, 323, 323, 0.9, "dtype=float16")
      .stage({"epoch", "save_checkpoint"}, 41, 47.6, 0.412, 0.3, "e060.pt")
      .stage({"epoch", "save_checkpoint", "torch.save"}, 41, 47.2, 47.2, 0.3, "1.3 GB")
      .stage({"build_model"}, 1, 14.2, 2.3)
      .stage({"build_model", "torch.load"}, 1, 11.9, 11.9, 0.1, "segformer_b5_imagenet.pth")
      .stage({"generate_data"}, 1, 0.842, 0.842);
  const auto falling = [&b](double from, double to, double noise, double speed) {
    return [=, &b](double x) { return to + (from - to) * std::exp(-speed * x) + b.noise(noise); };
  };
  b.metric("loss", 480, 161, falling(2.4, 0.31, 0.08, 4))
      .metric("val_loss", 60, 1288, falling(2.2, 0.39, 0.02, 3.6))
      .metric("miou", 60, 1288, falling(0.18, 0.79, 0.01, 3.5))
      .metric("lr", 300, 257,
              [](double x) { return x < 0.12 ? x / 0.12 * 6e-4 : 3.1e-4 + 2.9e-4 * std::cos(1.75 * (x - 0.12)); })
      .metric("grad_norm", 400, 193,
              [&b](double x) {
                if ((x > 0.84 && x < 0.86) || x >= 0.999) return nan;
                return 1.4 + 7 * std::exp(-3 * x) + b.noise(1.2);
              })
      .metric("img_per_s", 300, 257,
              [&b](double x) { return (x > 0.58 && x < 0.64 ? 270 : 411 - 110 * std::exp(-9 * x)) + b.noise(22); })
      .metric("is_best", 60, 1288, [](double x) { return x > 0.7; });
  using enum LogLevel;
  const char* const shards[] = {"1,237", "1,240", "1,243", "1,246", "1,249"};
  for (int i = 0; i < 300; ++i)
    b.log(3400 - i * 10.4, i % 17 == 3 ? warning : info,
          i % 17 == 3 ? "loader worker 7 slow: 412 ms for one sample"
                      : "loader: shard " + std::string(shards[i % 5]) + " of 1,250 ready, queue 32");
  b.log(278, info, "epoch 60: 1,250 batches, lr 3.2e-4")
      .log(276, info, "resuming sampler at index 74,988")
      .log(256, info, "step 75,900 loss 0.3188 miou 0.7902 411 img/s")
      .log(227, warning, "loader worker 7 slow: 412 ms for one sample (leftImg8bit/train/ulm/ulm_000042_000019.png)")
      .log(209, info, "step 76,200 loss 0.3169 miou 0.7907 412 img/s")
      .log(186, info, "step 76,350 loss 0.3160 miou 0.7909 411 img/s");
  b.lose_lines(3)
      .log(162, info, "step 76,500 loss 0.3158 miou 0.7910 398 img/s")
      .log(128, error,
           "rank 3: RuntimeError: NCCL communicator was aborted on rank 3, retrying once\n"
           "Traceback (most recent call last):\n"
           "  File \"train_segformer_b5_cityscapes.py\", line 318, in reduce_grads\n"
           "    dist.all_reduce(bucket.buffer(), group=pg)\n"
           "RuntimeError: NCCL communicator was aborted on rank 3")
      .log(115, info, "step 76,800 loss 0.3149 miou 0.7912 322 img/s")
      .log(100, debug, "allocator: 71.8 GB in 412 blocks")
      .log(77, info, "evaluating 500 tiles, stride 768")
      .log(22, info, "checkpoint saved to /scratch/lin/seg-b5/e060.pt (1.3 GB)")
      .log(13, warning, "loader worker 7 slow: 412 ms for one sample")
      .log(7, warning, "grad_norm is NaN at step 77,040, step skipped")
      .log(1, info, "step 77,050 loss 0.3142 miou 0.7914 411 img/s");
  return b.usage(6.2, 41.6e9, 58.2e9, 38, {0.97}).done();
}

JobPtr failed() {
  Builder b(2, "poisson_multigrid_3d.py", "login1", State::failed, 2 * hour + 14 * minute);
  b.pid(20417).tag("n", "256").tag("omega", "1.85");
  b.error("ValueError", "array must not contain infs or NaNs",
          "Traceback (most recent call last):\n"
          "  File \"/home/lin/mg/poisson_multigrid_3d.py\", line 212, in <module>\n"
          "    main(parse_args())\n"
          "  File \"/home/lin/mg/poisson_multigrid_3d.py\", line 187, in main\n"
          "    u, hist = vcycle(u, f, levels=6)\n"
          "  File \"/home/lin/mg/cycle.py\", line 64, in vcycle\n"
          "    e = vcycle(restrict(r), zero, level + 1)\n"
          "  File \"/home/lin/mg/smooth.py\", line 31, in smooth\n"
          "    x = scipy.linalg.solve_banded((1, 1), ab, rhs)\n"
          "  File \"/usr/lib/python3/dist-packages/scipy/linalg/_basic.py\", line 461, in solve_banded\n"
          "    a1 = _asarray_validated(ab, check_finite=check_finite, as_inexact=True)\n"
          "  File \"/usr/lib/python3/dist-packages/scipy/_lib/_util.py\", line 240, in _asarray_validated\n"
          "    raise ValueError(\"array must not contain infs or NaNs\")\n"
          "ValueError: array must not contain infs or NaNs\n");
  Bar cycle = counted("V-cycle", 1284, 2000, 8040, 0.159, {});
  cycle.state = BarState::failed;
  Bar level = counted("level", 3, 6, 6.2, 2.1, {}, 1);
  level.state = BarState::failed;
  b.bar(cycle).bar(level);
  b.stage({"vcycle"}, 1283, 7960, 210, 0.05, {}, 6.21)
      .stage({"vcycle", "smooth"}, 7700, 6400, 900, 0.1, {}, 0.412)
      .stage({"vcycle", "smooth", "scipy.linalg.solve_banded"}, 92000, 5500, 5500, 0.2, {}, 0.00308);
  b.metric("residual", 60, 21, [&b](double x) { return x > 0.97 ? nan : 0.2 + 5.8 * std::exp(-5 * x) + b.noise(0.1); })
      .metric("max_u", 60, 21, [](double x) { return x > 0.98 ? 1.7e38 : 1 + x; })
      .metric("omega", 60, 21, [](double x) { return 1.85 - 0.65 * std::exp(-6 * x); })
      .metric("cells", 2, 1284, [](double) { return std::int64_t{16777216}; });
  b.log(12, LogLevel::info, "cycle 1,280: residual 2.1e-4")
      .log(4.1, LogLevel::warning, "residual is NaN at step 1,281")
      .log(0.2, LogLevel::error, "ValueError: array must not contain infs or NaNs");
  return b.usage(31.8, 92.4e9, 94e9, 33).ended_ago(2 * hour + 2 * minute, 1).done();
}

JobPtr killed() {
  Builder b(3, "assemble_genome.sh", "node-031", State::failed, 3 * hour + 2 * minute);
  b.bar(counted("contig", 8120, 20000, 10900, 0.7, {})).usage(15.9, 127e9, 127e9, 64);
  return b.ended_ago(5 * hour, {}, 9).done();
}

JobPtr stalled() {
  Builder b(4, "lofar_subband_0312_fft_pipeline.jl", "gpu-02", State::stalled, 5 * hour + 2 * minute);
  b.bar(counted("subband", 105, 244, 18000, 0.0058, {}));
  b.stage({"calibrate"}, 105, 17000, 17000, 0.1, {}, 14 * minute + 5)
      .stage({"calibrate", "read"}, 105, 84, 84, 0.1, {}, 14 * minute);
  return b.usage(0, 3.1e9, 3.4e9, 9).done();
}

JobPtr silent() {
  Builder b(5, "mcmc_exoplanet_K2-18b_chains.py", "node-117", State::no_contact, day_s + 3 * hour);
  b.bar(counted("chain", 71200, 100000, 97000, 0.73, 39000));
  return b.clock_ahead(-95).silent_for(4 * minute).done();
}

JobPtr ended_early() {
  Builder b(6, "etl_parquet_compact.sh", "etl-1", State::ended_early, 41 * minute);
  Bar bar = counted("file", 1180, 1200, 2400, 0.48, {});
  bar.state = BarState::left;
  return b.bar(bar).ended_ago(5 * hour + 28 * minute, 0).done();
}

JobPtr finished() {
  Builder b(7, "train_segformer_b2_baseline.py", "gpu-04", State::finished, 2 * hour + 58 * minute);
  Bar bar = counted("epoch", 60, 60, 10600, 20.0 / hour, 0);
  bar.state = BarState::done;
  b.bar(bar).stage({"epoch"}, 60, 10500, 10500, 0.04);
  return b.ended_ago(3 * hour + 48 * minute, 0).done();
}

JobPtr interrupted() {
  Builder b(8, "bench_cufft_plans.py", "gpu-02", State::interrupted, 6 * minute + 12);
  Bar bar = counted("plan", 37, 100, 370, 0.1, {});
  bar.state = BarState::interrupted;
  return b.bar(bar).ended_ago(4 * hour + 12 * minute, 130, 2).done();
}

JobPtr without_total() {
  Bar bar = counted("rows", 3'410'000, {}, 7500, 451, {});
  bar.unit = "rows";
  return simple(9, "nyc_taxi_2009_2026.py", "etl-1", 2 * hour + 6 * minute, bar);
}

JobPtr empty_loop() {
  Builder b(10, "nothing_to_do.py", "ws-lin", State::finished, 0.02);
  Bar bar = counted("file", 0, 0, 0.001, {}, {});
  bar.state = BarState::done;
  return b.bar(bar).ended_ago(hour, 0).done();
}

JobPtr just_started() { return Builder(11, "job.py", "ws-lin", State::running, 0.1).done(); }

JobPtr overfull() {
  Builder b(12, "a_very_long_script_name_that_describes_each_and_every_hyperparameter_of_this_sweep_v17_final.py",
            "compute-node-with-a-long-name-0417.cluster.physics.example.org", State::running, 40 * day_s);
  for (int i = 0; i < 12; ++i) b.tag("parameter_" + std::to_string(i), "value_" + std::to_string(i * 1000));
  b.bar(counted("a description of a loop that never seems to come to its end", 9'007'199'254'740'000,
                9'007'199'254'740'994, 40 * day_s, 2.6e9, 3))
      .bar(counted("nested", 130, 100, 9, 1e7, {}, 1));
  for (int i = 0; i < 20; ++i) {
    const std::string top = "package.module_" + std::to_string(i) + ".a_function_with_a_rather_long_name";
    b.stage({top}, 1'000'000'000, 40000.0 * (i + 1), 400, 0.1, "shape=(65536, 65536, 3) dtype=complex128");
    for (int k = 0; k < 9; ++k)
      b.stage({top, "inner_" + std::to_string(k)}, 1 + static_cast<std::uint64_t>(k) * 40, 10.0 * k + 1e-7,
              10.0 * k + 1e-7, 0.5);
  }
  for (int i = 0; i < 40; ++i)
    b.metric("metric/with/a/path/and_index_" + std::to_string(i), 100, 10,
             [&](double x) { return std::sin(9 * x + i) * std::pow(10, i % 12); });
  return b.usage(63.7, 911e9, 991e9, 1024, {1.0, 0.98, 0.0, 0.41}).done();
}

std::vector<JobPtr> day() {
  Builder sweep(20, "sweep_unet_lr.py", "gpu-01", State::running, 2 * hour + 20 * minute);
  sweep.bar(counted("trial", 2, 6, 8300, 0.86 / hour, 4 * hour + 50 * minute));
  const JobPtr parent = sweep.done();
  Builder first(21, "lr=1e-3", "gpu-01", State::running, hour + 6 * minute);
  first.child_of(parent).bar(counted("epoch", 884, 1000, 3900, 0.22, 8 * minute + 20));
  Builder second(22, "lr=3e-4", "gpu-03", State::running, 9 * minute);
  second.child_of(parent).bar(counted("epoch", 121, 1000, 500, 0.23, hour + 2 * minute));
  return {training(),
          failed(),
          stalled(),
          silent(),
          ended_early(),
          parent,
          first.done(),
          second.done(),
          simple(23, "heat2d_adi_solver", "ws-lin", 14 * minute, counted("step", 3850, 10000, 840, 4.6, 22 * minute)),
          without_total(),
          finished(),
          interrupted(),
          empty_loop()};
}

std::vector<JobPtr> hundred() {
  std::vector<JobPtr> jobs = day();
  jobs.push_back(overfull());
  jobs.push_back(killed());
  jobs.push_back(just_started());
  for (std::uint8_t i = 0; jobs.size() < 100; ++i)
    jobs.push_back(simple(static_cast<std::uint8_t>(100 + i), "array_job_" + std::to_string(i) + ".py",
                          "node-" + std::to_string(i % 13), 60.0 * i,
                          counted("step", i, 100, 60.0 * i, 0.02, 60.0 * (100 - i))));
  return jobs;
}

}  // namespace macaw::widgets::fake
