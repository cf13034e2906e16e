// SPDX-License-Identifier: GPL-3.0-or-later
// The same schema written with QCborStreamWriter and QCborStreamReader, as one would who has no codec of one's own:
// the reference of bench_wire, and an independent peer in the tests. Covers bars, stages and metrics.
#pragma once

#include <QByteArray>

#include <deque>

#include "sdk/src/wire/report.hpp"

// Replaces `bytes`, keeping its memory.
void qt_encode(const macaw::wire::Report& report, QByteArray& bytes);

// `texts` holds what the report's texts point at.
bool qt_decode(const QByteArray& bytes, macaw::wire::Report& report, std::deque<QByteArray>& texts);
