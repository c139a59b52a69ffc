#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "goal_list.h"
#include "shosa/documents/submovement_edits.h"
#include "verb.h"

namespace shosa::cli {

/// The edits of submovements that verbs take: each as often as one likes.
using GoalEditOptions = std::map<std::string, std::vector<std::string>>;
void add_goal_edits(CLI::App& verb, GoalEditOptions& typed);

/// In the order in which they were typed. Throws a usage error for what has another form.
struct TypedEdit {
  std::string joint;  ///< The last --joint before it; empty: none.
  documents::SubmovementEdit edit;
};
std::vector<TypedEdit> typed_edits(const CLI::App& verb);

/// The same for rotations, whose goals are typed as rotation vectors in degrees.
std::vector<documents::SubmovementEdit> in_radians(std::vector<documents::SubmovementEdit> edits);

/// How far the joint is from the place that an edit asked for, when its submovement ends: metres or degrees. Where the
/// submovements have it, or at `came_to`. Empty for edits of no place.
std::optional<double> missed_by(const documents::SubmovementEdit& edit, const GoalList& after, std::size_t place,
                                const std::optional<Vec3d>& came_to = {});
/// "1.2 cm from the goal", and why.
std::string missed_text(const documents::SubmovementEdit& edit, const GoalList& after, std::size_t place,
                        double missed);

/// What became of each edit: {edit, submovement, goal, passes, missed_m | missed_deg}, all but the first where its
/// submovement is still there, the last where the edit asked for a place.
nlohmann::ordered_json edits_json(const std::vector<documents::SubmovementEdit>& edits,
                                  const documents::EditedPlaces& places, const GoalList& after);

/// Warns of submovements that the edits have made shorter than people move.
void warn_of_haste(const std::vector<documents::SubmovementEdit>& edits, const documents::EditedPlaces& places,
                   const GoalList& after, Report& report);

void warn(Report& report, std::string text);

}  // namespace shosa::cli
