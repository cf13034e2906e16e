// SPDX-License-Identifier: GPL-3.0-or-later
// An unexpected warning of Qt fails the test that it comes in: sockets of the wrong thread, models that lie, dangling
// connections. Make one in main() or in initTestCase(); allow() takes what a platform is known to say.
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QtTest>
#include <mutex>

namespace macaw::test {

class QtMessages {
 public:
  QtMessages() {
    self() = this;
    m_before = qInstallMessageHandler(&QtMessages::take);
  }
  ~QtMessages() {
    qInstallMessageHandler(m_before);
    self() = nullptr;
  }
  QtMessages(const QtMessages&) = delete;
  QtMessages& operator=(const QtMessages&) = delete;

  void allow(const QByteArray& part) { m_allowed << part; }

  // What came since the last call; to be compared with an empty list at the end of each test.
  QByteArrayList take_unexpected() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_unexpected, {});
  }

 private:
  static QtMessages*& self() {
    static QtMessages* instance = nullptr;
    return instance;
  }
  static void take(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    QtMessages* const me = self();
    if (!me) return;
    if (type != QtDebugMsg && type != QtInfoMsg) {
      const QByteArray bytes = text.toUtf8();
      bool is_allowed = false;
      for (const QByteArray& part : me->m_allowed) is_allowed |= bytes.contains(part);
      const std::lock_guard lock(me->m_mutex);
      if (!is_allowed) me->m_unexpected << bytes;
    }
    if (me->m_before) me->m_before(type, context, text);
  }

  QtMessageHandler m_before = nullptr;
  std::mutex m_mutex;
  QByteArrayList m_allowed, m_unexpected;
};

}  // namespace macaw::test
