// SPDX-License-Identifier: GPL-3.0-or-later
// The real window over jobs from text and over jobs that never ran: what appears, what can be chosen, what is exported.
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QStackedWidget>
#include <QTabBar>
#include <QTemporaryDir>
#include <QtTest>

#include "app/main_window.hpp"
#include "collector/model/stages_csv.hpp"
#include "tests/support/feed.hpp"
#include "tests/support/qt_messages.hpp"
#include "widgets/gallery/fake_jobs.hpp"
#include "widgets/models/job_line.hpp"
#include "widgets/views/about_page.hpp"
#include "widgets/views/empty_page.hpp"
#include "widgets/views/job_header.hpp"
#include "widgets/views/job_list.hpp"
#include "widgets/views/job_pane.hpp"
#include "widgets/views/stages/stages_page.hpp"

using namespace macaw;
using namespace macaw::widgets;

class TestMainWindow : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    m_messages.allow("XDG_RUNTIME_DIR");
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    QApplication::setStyle(QStringLiteral("Fusion"));
    Theme::use_fixed_fonts();
    Theme::apply(Appearance::light);
  }
  void cleanup() { QCOMPARE(m_messages.take_unexpected(), QByteArrayList()); }

  void an_empty_window_tells_how_to_begin() {
    JobStore store([] { return fake::moment; });
    app::MainWindow window(store);
    window.show_connection({QStringLiteral("export MACAW_URL=udp://host:6229"), 6229, {}});
    window.show();
    auto* page = window.findChild<EmptyPage*>();
    QVERIFY(page->isVisible());
    QCOMPARE(page->line(), QStringLiteral("export MACAW_URL=udp://host:6229"));
    QVERIFY(!window.selected());
  }

  void a_job_appears_and_is_chosen() {
    test::Feed feed;
    Moment now = fake::moment;
    JobStore store([&now] { return now; });
    app::MainWindow window(store);
    window.show();
    QVERIFY(feed.report(
        0.5, 1,
        R"("hello":{"name":"research.py","host":"box"},"bars":[{"id":1,"n":50,"total":200,"elapsed":0.4,"desc":"doing nothing"}])"));
    const auto added = feed.tick(0.6);
    QVERIFY(added);
    now = {0.6, 1e9 + 0.6};
    store.apply(*added);
    store.flush();
    QVERIFY(window.selected());
    QCOMPARE(window.windowTitle(), QStringLiteral("research.py – Macaw"));
    const auto header = [&window] {
      return window.findChild<JobHeader*>()->accessibleName().replace(QChar(0x00A0), QLatin1Char(' '));
    };
    QVERIFY2(header().contains(QStringLiteral("Done 25.0 %")), qPrintable(header()));

    QVERIFY(feed.report(
        1.5, 2,
        R"("bars":[{"id":1,"n":200,"total":200,"elapsed":1.4,"state":"done"}],"finish":{"elapsed":1.5,"code":0,"state":"finished"})"));
    const auto changed = feed.tick(1.6);
    QVERIFY(changed);
    store.apply(*changed);
    store.flush();
    QVERIFY2(header().contains(QStringLiteral("Finished")) && header().contains(QStringLiteral("Reached 100 %")),
             qPrintable(header()));

    model::ChangeSet gone;
    gone.gone = {window.selected()->id};
    store.apply(gone);
    store.flush();
    QVERIFY(!window.selected());
    QVERIFY(window.findChild<EmptyPage*>()->isVisible());
  }

  void jobs_are_selected_by_name_and_id_and_keys() {
    JobStore store([] { return fake::moment; });
    store.reset(fake::day());
    app::MainWindow window(store);
    window.show();
    QVERIFY(window.selected());  // one is always chosen
    QVERIFY(window.select(QStringLiteral("nyc_taxi_2009_2026.py")));
    QCOMPARE(window.selected()->id, fake::without_total()->id);
    QVERIFY(window.select(QString::fromStdString(model::to_string(fake::silent()->id))));
    QVERIFY(!window.select(QStringLiteral("no such job")));
    QCOMPARE(window.selected()->id, fake::silent()->id);
    QTest::keyClick(&window.list().tree(), Qt::Key_Down);
    QCOMPARE(window.selected()->id, fake::ended_early()->id);
    // A search that hides the chosen job does not take it from the pane.
    window.list().findChild<QLineEdit*>()->setText(QStringLiteral("heat2d"));
    QCOMPARE(window.selected()->id, fake::ended_early()->id);
  }

  void every_tab_draws_every_job() {
    JobStore store([] { return fake::moment; });
    store.reset(fake::hundred());
    app::MainWindow window(store);
    window.resize(1000, 700);
    window.show();
    for (const Appearance appearance : {Appearance::light, Appearance::dark}) {
      window.set_appearance(appearance);
      for (const auto& job :
           {fake::training(), fake::failed(), fake::killed(), fake::empty_loop(), fake::without_total(),
            fake::just_started(), fake::overfull(), fake::stalled(), fake::interrupted()}) {
        QVERIFY(window.select(QString::fromStdString(model::to_string(job->id))));
        for (int tab = 0; tab < window.pane().tabs().count(); ++tab) {
          QVERIFY(window.pane().open_tab(tab));
          QVERIFY(!window.grab().isNull());
        }
      }
    }
  }

  void switching_the_colours_looks_like_starting_in_them() {
    JobStore store([] { return fake::moment; });
    store.reset(fake::day());
    const auto picture = [&store](Appearance first, Appearance then) {
      Theme::apply(first);
      app::MainWindow window(store);
      window.resize(1000, 700);
      window.show();
      window.select(job_name(*fake::training()));
      window.grab();
      window.set_appearance(then);
      QApplication::processEvents();
      return window.grab().toImage();
    };
    QCOMPARE(picture(Appearance::light, Appearance::dark), picture(Appearance::dark, Appearance::dark));
    QCOMPARE(picture(Appearance::dark, Appearance::light), picture(Appearance::light, Appearance::light));
  }

  void keys_walk_the_panes() {
    JobStore store([] { return fake::moment; });
    store.reset(fake::day());
    app::MainWindow window(store);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.list().tree().setFocus();
    QTest::keyClick(&window, Qt::Key_F6);
    QVERIFY(window.pane().tabs().hasFocus());
    QTest::keyClick(&window, Qt::Key_F6);
    QVERIFY(window.pane().isAncestorOf(QApplication::focusWidget()) && !window.pane().tabs().hasFocus());
    QTest::keyClick(&window, Qt::Key_F6);
    QVERIFY(window.list().tree().hasFocus());
    QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(window.pane().tabs().currentIndex(), 3);
  }

  void tabs_by_name() {
    JobStore store([] { return fake::moment; });
    app::MainWindow window(store);
    QVERIFY(window.pane().open_tab(QStringLiteral("stages")));
    QCOMPARE(window.pane().tabs().currentIndex(), 1);
    QVERIFY(window.pane().open_tab(QStringLiteral("about")));
    QCOMPARE(window.pane().tabs().currentIndex(), 4);
    QVERIFY(!window.pane().open_tab(QStringLiteral("nonsense")));
    QVERIFY(!window.pane().open_tab(QString()));
  }

  void about_tells_a_clock_that_is_off() {
    const auto clock_of = [](const model::JobPtr& job) {
      for (Fact fact : facts_about({job, {}, fake::moment}))
        if (fact.label == QStringLiteral("Clock")) return fact.value.replace(QChar(0x00A0), QLatin1Char(' '));
      return QString();
    };
    QCOMPARE(clock_of(fake::silent()), QStringLiteral("1 min 35 s behind this machine's"));
    QCOMPARE(clock_of(fake::training()), QString());
  }

  void the_export_is_the_models_csv() {
    JobStore store([] { return fake::moment; });
    store.reset(fake::day());
    app::MainWindow window(store);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(window.select(job_name(*fake::training())));
    const QTemporaryDir folder;
    QString suggested;
    window.ask_file_with([&](const QString& suggestion) {
      suggested = suggestion;
      return folder.filePath(QStringLiteral("out.csv"));
    });
    QTest::keyClick(&window, Qt::Key_E, Qt::ControlModifier);
    QCOMPARE(suggested, QStringLiteral("train_segformer_b5_cityscapes.py-stages.csv"));
    QFile file(folder.filePath(QStringLiteral("out.csv")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().toStdString(), model::stages_csv(*fake::training()));
  }

  void stages_are_found_and_sorted() {
    JobStore store([] { return fake::moment; });
    store.reset({fake::training()});
    app::MainWindow window(store);
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.pane().open_tab(1);
    auto& tree = window.pane().stages().tree();
    QCOMPARE(tree.model()->index(0, 0).data().toString(), QStringLiteral("epoch"));
    tree.sortByColumn(StageTreeModel::total, Qt::AscendingOrder);
    QCOMPARE(tree.model()->index(0, 0).data().toString(), QStringLiteral("generate_data"));
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
    auto* find = window.pane().stages().findChild<QLineEdit*>();
    QVERIFY(find->hasFocus());
    find->setText(QStringLiteral("all_reduce"));
    QCOMPARE(tree.model()->rowCount(), 1);
    const QModelIndex epoch = tree.model()->index(0, 0);
    QCOMPARE(tree.model()->rowCount(epoch), 1);
    QVERIFY(tree.isExpanded(epoch));
  }

 private:
  test::QtMessages m_messages;
};

QTEST_MAIN(TestMainWindow)
#include "test_main_window.moc"
