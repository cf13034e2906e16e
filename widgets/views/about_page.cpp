// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/about_page.hpp"

#include <QDateTime>
#include <QFormLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "widgets/format/format.hpp"
#include "widgets/theme/theme.hpp"

namespace macaw::widgets {

namespace {

// Quoted only where a shell would need it.
QString command_line(const std::vector<std::string>& argv) {
  QStringList words;
  for (const std::string& word : argv) {
    QString text = QString::fromStdString(word);
    const bool plain = std::all_of(text.begin(), text.end(), [](QChar c) {
      return c.isLetterOrNumber() || QStringLiteral("-_./=:,+@%").contains(c);
    });
    if (text.isEmpty() || !plain)
      text = QLatin1Char('\'') + text.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
    words << text;
  }
  return words.join(QLatin1Char(' '));
}

}  // namespace

std::vector<Fact> facts_about(const JobView& view) {
  const model::Job& job = *view.job;
  std::vector<Fact> facts;
  const auto add = [&facts](const QString& label, const QString& value, bool code = false) {
    if (!value.isEmpty()) facts.push_back({label, value, code});
  };
  const QLocale locale;
  const auto date = [&locale](double unix_time) {
    return locale.toString(QDateTime::fromSecsSinceEpoch(static_cast<qint64>(unix_time)),
                           QStringLiteral("d MMM yyyy, HH:mm:ss"));
  };
  if (job.identity) {
    const model::Identity& who = *job.identity;
    add(QStringLiteral("Command"), command_line(who.argv), true);
    add(QStringLiteral("Folder"), QString::fromStdString(who.cwd), true);
    add(QStringLiteral("Host"), QString::fromStdString(who.host));
    add(QStringLiteral("User"), QString::fromStdString(who.user));
    if (who.pid) add(QStringLiteral("Process"), QString::number(*who.pid));
    add(QStringLiteral("Language"), QString::fromStdString(who.lang));
    add(QStringLiteral("Reported by"), QString::fromStdString(who.sdk));
    QString commit = QString::fromStdString(who.git_commit);
    if (!commit.isEmpty()) {
      if (!who.git_branch.empty()) commit += QStringLiteral(" on ") + QString::fromStdString(who.git_branch);
      if (who.git_dirty) commit += QStringLiteral(", with uncommitted changes");
    }
    add(QStringLiteral("Commit"), commit);
    QStringList tags, env;
    for (const auto& [key, value] : who.tags) tags << format::tag(key, value);
    for (const auto& [key, value] : who.env) env << format::tag(key, value);
    add(QStringLiteral("Tags"), tags.join(QStringLiteral("   ")));
    add(QStringLiteral("Environment"), env.join(QLatin1Char('\n')), true);
  }
  add(QStringLiteral("Started"), date(job.started));
  if (model::is_terminal(job.state))
    add(QStringLiteral("Ended"), date(ended_unix(job)));
  else
    add(QStringLiteral("Last heard"), date(job.heard_unix));
  if (job.skew)
    add(QStringLiteral("Clock"), QStringLiteral("%1 %2 this machine's")
                                     .arg(format::duration(std::abs(*job.skew)),
                                          *job.skew > 0 ? QStringLiteral("ahead of") : QStringLiteral("behind")));
  if (job.exit_code) add(QStringLiteral("Exit code"), QString::number(*job.exit_code));
  if (job.exit_signal) add(QStringLiteral("Signal"), QString::number(*job.exit_signal));
  if (job.usage && job.usage->peak)
    add(QStringLiteral("Peak memory"), format::bytes(static_cast<double>(*job.usage->peak)).text());
  const auto lost = job.lost.logs + job.lost.metrics + job.lost.datagrams;
  add(QStringLiteral("Lost on the way"),
      lost ? QStringLiteral("%1, %2, %3")
                 .arg(format::things(job.lost.datagrams, QStringLiteral("report"), QStringLiteral("reports")),
                      format::things(job.lost.logs, QStringLiteral("log line"), QStringLiteral("log lines")),
                      format::things(job.lost.metrics, QStringLiteral("metric point"), QStringLiteral("metric points")))
           : QStringLiteral("nothing"));
  add(QStringLiteral("Job id"), QString::fromStdString(model::to_string(job.id)), true);
  return facts;
}

AboutPage::AboutPage(QWidget* parent) : JobPage(parent), m_scroll(new QScrollArea(this)) {
  auto* content = new QWidget(m_scroll);
  content->setBackgroundRole(QPalette::Base);
  content->setAutoFillBackground(true);
  m_form = new QFormLayout(content);
  m_form->setContentsMargins(20, 16, 20, 16);
  m_form->setHorizontalSpacing(24);
  m_form->setVerticalSpacing(8);
  m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
  m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  m_scroll->setWidget(content);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setAccessibleName(tr("About this run"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_scroll);
}

void AboutPage::show_job(const JobView& view) {
  auto facts = facts_about(view);
  const auto same = [](const Fact& a, const Fact& b) { return a.label == b.label && a.value == b.value; };
  if (std::equal(facts.begin(), facts.end(), m_facts.begin(), m_facts.end(), same)) return;
  // Only values changed: keep the labels, so that a selection in another row stays.
  const bool same_labels = std::equal(facts.begin(), facts.end(), m_facts.begin(), m_facts.end(),
                                      [](const Fact& a, const Fact& b) { return a.label == b.label; });
  if (!same_labels) {
    while (m_form->rowCount() > 0) m_form->removeRow(0);
    for (const Fact& fact : facts) {
      auto* label = new QLabel(fact.label, m_scroll->widget());
      label->setForegroundRole(QPalette::PlaceholderText);
      label->setMinimumWidth(110);
      auto* value = new QLabel(m_scroll->widget());
      value->setTextFormat(Qt::PlainText);
      value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
      value->setWordWrap(true);
      value->setAccessibleName(fact.label);
      if (fact.code) value->setFont(type::mono());
      m_form->addRow(label, value);
    }
  }
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (auto* value = qobject_cast<QLabel*>(m_form->itemAt(static_cast<int>(i), QFormLayout::FieldRole)->widget());
        value->text() != facts[i].value)
      value->setText(facts[i].value);
  m_facts = std::move(facts);
}

}  // namespace macaw::widgets
