// SPDX-License-Identifier: GPL-3.0-or-later
// macaw-desktop.
#include "app/application.hpp"

int main(int argc, char** argv) { return macaw::app::run(argc, argv); }
