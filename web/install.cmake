# SPDX-License-Identifier: MIT
# cmake -DNPM=… -DSTAMP=… -P install.cmake, in web/: `npm ci` when node_modules is older than the lock file. All build
# folders share node_modules, so one installs at a time and the others find it done.
file(LOCK .install.lock GUARD PROCESS TIMEOUT 600)
if(package-lock.json IS_NEWER_THAN node_modules/.package-lock.json)
  execute_process(COMMAND "${NPM}" ci --no-audit --no-fund --loglevel=error COMMAND_ERROR_IS_FATAL ANY)
  file(TOUCH node_modules/.package-lock.json)
endif()
file(TOUCH "${STAMP}")
