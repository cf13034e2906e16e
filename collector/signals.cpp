// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/signals.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QSocketNotifier>

namespace macaw {

namespace {

int signal_pipe[2] = {-1, -1};

}  // namespace

void quit_on_signals() {
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, signal_pipe) != 0) return;
  auto* notifier = new QSocketNotifier(signal_pipe[1], QSocketNotifier::Read, QCoreApplication::instance());
  QObject::connect(notifier, &QSocketNotifier::activated, QCoreApplication::instance(), &QCoreApplication::quit);
  struct sigaction action {};
  action.sa_handler = [](int) { [[maybe_unused]] const auto ignored = write(signal_pipe[0], "", 1); };
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is an error of the write, not the program's end
}

}  // namespace macaw
