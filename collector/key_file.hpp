// SPDX-License-Identifier: GPL-3.0-or-later
// The shared key of sealed reports: one line of text in a file that is its owner's alone.
#pragma once

#include <QString>
#include <string>

namespace macaw {

// 32 random bytes as text that survives a shell, a URL and a double click.
std::string new_key();

// The key in `path`; empty, with `error` set to one line, when there is none to be had.
std::string read_key(const QString& path, QString& error);
QString write_key(const QString& path, const std::string& key);  // empty, or what is wrong

}  // namespace macaw
