// SPDX-License-Identifier: MIT
// `for (auto& x : macaw::track(items, "desc"))`: the loop as it was, with a bar. The total is the range's size where it
// has one; nothing is ever consumed to count it.
#pragma once

#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include <macaw/bar.hpp>

namespace macaw {
namespace detail {

template <class Range, class = void>
struct SizeOf {
  static std::optional<std::int64_t> of(const Range&) { return std::nullopt; }
};
template <class Range>
struct SizeOf<Range, std::void_t<decltype(std::size(std::declval<const Range&>()))>> {
  static std::optional<std::int64_t> of(const Range& range) { return static_cast<std::int64_t>(std::size(range)); }
};

}  // namespace detail

template <class Range>
class Track {
 public:
  Track(Range&& range, std::string_view desc)
      : range_(std::forward<Range>(range)), bar_(desc, detail::SizeOf<std::decay_t<Range>>::of(range_)) {}

  struct Sentinel;
  class Iterator {
   public:
    Iterator(decltype(std::begin(std::declval<Range&>())) at, Track& track) : at_(at), track_(&track) {}
    decltype(auto) operator*() const { return *at_; }
    Iterator& operator++() {
      ++at_;
      track_->bar_ += 1;
      return *this;
    }
    bool operator!=(const Sentinel& end) const {
      if (at_ != end.at) return true;
      track_->bar_.complete();
      return false;
    }

   private:
    decltype(std::begin(std::declval<Range&>())) at_;
    Track* track_;
  };
  struct Sentinel {
    decltype(std::end(std::declval<Range&>())) at;
  };

  Iterator begin() { return Iterator(std::begin(range_), *this); }
  Sentinel end() { return Sentinel{std::end(range_)}; }

 private:
  Range range_;  // a reference for an lvalue, the value itself for a temporary
  Bar bar_;
};

template <class Range>
Track<Range> track(Range&& range, std::string_view desc = {}) {
  return Track<Range>(std::forward<Range>(range), desc);
}

}  // namespace macaw
