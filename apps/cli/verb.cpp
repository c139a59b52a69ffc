#include "verb.h"

namespace shosa::cli {

nlohmann::ordered_json whole_json(const Report& report) {
  nlohmann::ordered_json json = report.json;
  json["warnings"] = json["notes"] = nlohmann::ordered_json::array();
  for (const Note& note : report.notes) json[note.is_done() ? "notes" : "warnings"].push_back(note.text);
  return json;
}

}  // namespace shosa::cli
