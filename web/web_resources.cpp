// SPDX-License-Identifier: MIT
#include "web/web_resources.hpp"

#include <QtCore/qglobal.h>

// Resources in a static library register only when somebody asks for them. rcc's function is in the global namespace.
int qInitResources_macaw_web();

void macaw::init_web_resources() { qInitResources_macaw_web(); }
