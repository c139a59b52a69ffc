#include "goal_edits.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>

#include "shosa/core/angles.h"
#include "shosa/core/rotations.h"

namespace shosa::cli {

namespace {

using documents::SubmovementEdit;
using EditKind = SubmovementEdit::Kind;

// Shorter than people move.
constexpr double kHasty_s = 0.1;

struct EditForm {
  const char* option;
  EditKind kind;
  const char* form;  // As it is typed: K a submovement's number, [K,] one that may be left out.
  const char* help;
};
constexpr EditForm kEditForms[] = {
    {"--move-goal", EditKind::move_goal, "K,X,Y,Z", "Move the goal of submovement K"},
    {"--move-goal-by", EditKind::move_goal_by, "K,X,Y,Z", "Move the goal of submovement K by so much"},
    {"--pass", EditKind::pass, "K,X,Y,Z", "Lead the joint through a place when submovement K ends"},
    {"--set-timing", EditKind::set_timing, "K,T0,TF", "Submovement K lasts from T0 to TF (s)"},
    {"--shift", EditKind::shift, "[K,]S", "Submovement K, or everything, comes S seconds later"},
    {"--stretch", EditKind::stretch, "[K,]F", "Submovement K, or everything, lasts F times as long"},
    {"--insert", EditKind::insert, "T0,TF,X,Y,Z", "A new submovement by X,Y,Z, from which the next comes back"},
    {"--remove", EditKind::remove, "K", "Leave submovement K out; the next one goes all the way"},
    {"--merge", EditKind::merge, "K", "Make K and the next a single submovement"},
};

std::vector<double> numbers_of(const EditForm& form, const std::string& text) {
  std::vector<double> numbers;
  const auto wrong = [&] {
    return CLI::ValidationError(form.option, fmt::format("'{}', expected {}", text, form.form));
  };
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    const auto [next, error] = std::from_chars(at, end, numbers.emplace_back());
    if (error != std::errc{} || !std::isfinite(numbers.back())) throw wrong();
    if (next == end) break;
    if (*next != ',') throw wrong();
    at = next + 1;
  }
  const std::string_view shape = form.form;
  const auto most = static_cast<std::size_t>(std::count(shape.begin(), shape.end(), ',')) + 1;
  const std::size_t least = shape.starts_with('[') ? most - 1 : most;
  if (numbers.size() < least || numbers.size() > most) throw wrong();
  return numbers;
}

SubmovementEdit edit_of(const EditForm& form, const std::string& text) {
  std::vector<double> numbers = numbers_of(form, text);
  SubmovementEdit edit{.kind = form.kind, .asked = fmt::format("{} {}", form.option, text)};
  const bool all = form.form[0] == '[' && numbers.size() == 1;
  if (all) edit.index = SubmovementEdit::kAll;
  if (form.kind != EditKind::insert && !all) {
    if (!(numbers[0] >= 0.0 && numbers[0] < 1e9 && numbers[0] == std::floor(numbers[0])))
      throw CLI::ValidationError(form.option,
                                 fmt::format("'{}', expected {}, K the number of a submovement", text, form.form));
    edit.index = static_cast<std::size_t>(numbers[0]);
    numbers.erase(numbers.begin());
  }
  if (numbers.size() == 3 || numbers.size() == 5) {
    edit.value = Vec3d(numbers.end()[-3], numbers.end()[-2], numbers.end()[-1]);
    numbers.resize(numbers.size() - 3);
  }
  if (!numbers.empty()) edit.from = numbers[0];
  if (numbers.size() > 1) edit.to = numbers[1];
  if (form.kind == EditKind::stretch && !(edit.from > 0.0))
    throw CLI::ValidationError(form.option, fmt::format("'{}', expected F above 0", text));
  return edit;
}

}  // namespace

void add_goal_edits(CLI::App& verb, GoalEditOptions& typed) {
  for (const EditForm& form : kEditForms)
    verb.add_option(form.option, typed[form.option], form.help)->type_name(form.form)->allow_extra_args(false);
}

std::vector<TypedEdit> typed_edits(const CLI::App& verb) {
  std::vector<TypedEdit> edits;
  std::string joint;
  std::map<const CLI::Option*, std::size_t> seen;
  for (const CLI::Option* option : verb.parse_order()) {
    const std::size_t at = seen[option]++;
    if (option->check_name("--joint")) joint = option->results()[at];
    for (const EditForm& form : kEditForms)
      if (option->check_name(form.option)) edits.push_back({joint, edit_of(form, option->results()[at])});
  }
  return edits;
}

std::vector<SubmovementEdit> in_radians(std::vector<SubmovementEdit> edits) {
  for (SubmovementEdit& edit : edits) edit.value /= kDegPerRad;
  return edits;
}

std::optional<double> missed_by(const SubmovementEdit& edit, const GoalList& after, std::size_t place,
                                const std::optional<Vec3d>& came_to) {
  const GoalRow& row = after.rows[place];
  const bool moved = edit.kind == EditKind::move_goal || edit.kind == EditKind::move_goal_by;
  if (!moved && edit.kind != EditKind::pass) return std::nullopt;
  const Vec3d wanted = moved ? row.goal : edit.value, is = came_to.value_or(row.passes);
  if (!after.rotation) return (is - wanted).norm();
  const auto turn = [](const Vec3d& degrees) { return exp_rotation(degrees / kDegPerRad); };
  return kDegPerRad * turn(is).angularDistance(turn(wanted));
}

std::string missed_text(const SubmovementEdit& edit, const GoalList& after, std::size_t place, double missed) {
  const std::string by = after.rotation ? fmt::format("{:.1f} deg", missed) : fmt::format("{:.1f} cm", 1e2 * missed);
  if (edit.kind == EditKind::pass) return by + " from the place";
  const GoalRow& row = after.rows[place];
  const bool overtaken = missed > (after.rotation ? 1.0 : 0.01) && (row.passes - row.goal).norm() > 0.5 * missed;
  return by + " from the goal" + (overtaken ? ": others are under way then (--pass leads there)" : "");
}

nlohmann::ordered_json edits_json(const std::vector<SubmovementEdit>& edits, const documents::EditedPlaces& places,
                                  const GoalList& after) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < edits.size(); ++i) {
    nlohmann::ordered_json own = {{"edit", edits[i].asked}};
    if (places[i]) {
      own["submovement"] = *places[i];
      own["goal"] = vector_json(after.rows[*places[i]].goal);
      own["passes"] = vector_json(after.rows[*places[i]].passes);
      if (const auto missed = missed_by(edits[i], after, *places[i]))
        own[after.rotation ? "missed_deg" : "missed_m"] = *missed;
    }
    list.push_back(std::move(own));
  }
  return list;
}

void warn_of_haste(const std::vector<SubmovementEdit>& edits, const documents::EditedPlaces& places,
                   const GoalList& after, Report& report) {
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const EditKind kind = edits[i].kind;
    const bool retimed = kind == EditKind::set_timing || kind == EditKind::stretch || kind == EditKind::insert;
    if (!places[i] || !retimed) continue;
    const GoalRow& row = after.rows[*places[i]];
    const double seconds = row.tf_s - row.t0_s;
    if (seconds >= kHasty_s) continue;
    const char* unit = after.rotation ? "deg" : "m";
    warn(report, fmt::format("{}: {:.3g} s is very short for {:.3g} {}, up to {:.3g} {}/s", edits[i].asked, seconds,
                             row.move.norm(), unit, 1.875 * row.move.norm() / seconds, unit));
  }
}

void warn(Report& report, std::string text) {
  report.notes.emplace_back(std::move(text));
}

}  // namespace shosa::cli
