// SPDX-License-Identifier: MIT
// The first example, in C++: a loop with a bar, two stages, a log line and metrics.
#include <macaw/macaw.hpp>

#include <cmath>
#include <numeric>
#include <vector>

int main() {
  std::vector<int> iterations(200);
  std::iota(iterations.begin(), iterations.end(), 0);
  std::vector<double> numbers(65536);
  for (const int i : macaw::track(iterations, "doing nothing")) {
    {
      MACAW_STAGE("generate_data");
      for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = i * std::sin(static_cast<double>(k));
      macaw::log::info("generated {} numbers", numbers.size());
    }
    double sum = 0;
    {
      MACAW_STAGE("add_up");
      sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
    }
    macaw::metric("sum", sum, i);
    macaw::metric("is_big", sum > 100);
  }
  macaw::log::info("done");
}
