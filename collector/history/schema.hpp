// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of history, as SQL: version n is what the first n scripts make. A script that was released never changes.
// Times are seconds, `started` and `heard` Unix time; numbers keep the type they came with; a metric's NaN is NULL, its
// booleans are the blobs 00 and 01; paths are joined as in the stage CSV; lists and maps are JSON.
#pragma once

#include <QStringList>
#include <vector>

namespace macaw::history {

// What a job itself says, in the order in which it is written and read.
inline const QString job_columns = QStringLiteral(
    "name, host, pid, user, cwd, argv, lang, sdk, parent, tags, env, git_commit, git_branch, git_dirty, state, "
    "started, "
    "up, heard, promise, ended, exit_code, exit_signal, error_type, error_message, error_traceback, rss, peak, "
    "threads, "
    "cpu, cpu_rate, gpu, lost_datagrams, lost_logs, lost_metrics, others_bars, others_stages, others_metrics, "
    "log_dropped, seq");

inline const std::vector<QStringList>& schema() {
  static const std::vector<QStringList> scripts = {{
      QStringLiteral(R"(CREATE TABLE job (
        key INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE,
        name TEXT, host TEXT, pid INTEGER, user TEXT, cwd TEXT, argv TEXT, lang TEXT, sdk TEXT, parent BLOB,
        tags TEXT, env TEXT, git_commit TEXT, git_branch TEXT, git_dirty INTEGER,
        state TEXT, started REAL, up REAL, heard REAL, promise REAL, ended REAL,
        exit_code INTEGER, exit_signal INTEGER, error_type TEXT, error_message TEXT, error_traceback TEXT,
        rss INTEGER, peak INTEGER, threads INTEGER, cpu REAL, cpu_rate REAL, gpu TEXT,
        lost_datagrams INTEGER, lost_logs INTEGER, lost_metrics INTEGER,
        others_bars INTEGER, others_stages INTEGER, others_metrics INTEGER, log_dropped INTEGER, seq INTEGER,
        pinned INTEGER NOT NULL DEFAULT 0, note TEXT NOT NULL DEFAULT ''))"),
      QStringLiteral("CREATE INDEX job_heard ON job (heard)"),
      QStringLiteral(R"(CREATE TABLE bar (
        job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE, place INTEGER NOT NULL, id INTEGER NOT NULL,
        parent INTEGER, stage TEXT, description TEXT, unit TEXT, n, total, initial, elapsed REAL, told REAL, rate REAL,
        eta REAL, state TEXT, repeats INTEGER, PRIMARY KEY (job, place)) WITHOUT ROWID)"),
      QStringLiteral(R"(CREATE TABLE stage (
        job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE, place INTEGER NOT NULL, path TEXT NOT NULL, kind TEXT,
        count INTEGER, open INTEGER, errors INTEGER, total REAL, self REAL, min REAL, max REAL, last REAL, m2 REAL,
        since REAL, told REAL, note TEXT, trend TEXT, PRIMARY KEY (job, place)) WITHOUT ROWID)"),
      QStringLiteral(R"(CREATE TABLE metric (
        job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE, place INTEGER NOT NULL, name TEXT NOT NULL,
        points INTEGER NOT NULL, first_nonfinite INTEGER, PRIMARY KEY (job, place)) WITHOUT ROWID)"),
      QStringLiteral(R"(CREATE TABLE point (
        job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE, metric INTEGER NOT NULL, no INTEGER NOT NULL,
        step, up REAL, value, PRIMARY KEY (job, metric, no)) WITHOUT ROWID)"),
      QStringLiteral(R"(CREATE TABLE log_line (
        job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE, no INTEGER NOT NULL, up REAL, level TEXT, stage TEXT,
        text TEXT, cut INTEGER, PRIMARY KEY (job, no)))"),
  }};
  return scripts;
}

}  // namespace macaw::history
