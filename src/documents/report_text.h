#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "shosa/core/types.h"

namespace shosa::documents {

using ReportJson = nlohmann::ordered_json;

inline std::string report_text(const ReportJson& json) {
  return json.dump(-1, ' ', false, ReportJson::error_handler_t::replace);
}

inline ReportJson intervals_json(const std::vector<TimeInterval>& intervals) {
  ReportJson list = ReportJson::array();
  for (const TimeInterval& interval : intervals) list.push_back({interval.begin_s, interval.end_s});
  return list;
}

}  // namespace shosa::documents
