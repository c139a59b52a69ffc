#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "add_verb.h"
#include "goal_edits.h"
#include "input.h"
#include "shosa/documents/read_document.h"
#include "shosa/documents/submovement_file.h"

namespace shosa::cli {

namespace {

using documents::SubmovementEdit;
using submovement::BodyDecomposition;

struct GoalsOptions {
  std::string file, out, kind;
  std::vector<std::string> joints;
  bool mirror = false;
  GoalEditOptions typed;
  std::vector<TypedEdit> edits;
};

// One joint's displacements, or its turns.
struct Channel {
  JointIndex joint = 0;
  submovement::PositionModel* moves = nullptr;
  submovement::RotationModel* turns = nullptr;

  const char* kind() const { return moves ? "position" : "rotation"; }
  GoalList goals() const { return moves ? goal_list(*moves) : goal_list(*turns); }
};

std::vector<Channel> channels_of(BodyDecomposition& body) {
  std::vector<Channel> channels;
  for (std::size_t k = 0; k < body.translated.size(); ++k)
    channels.push_back({.joint = body.translated[k], .moves = &body.translations[k]});
  for (std::size_t j = 0; j < body.rotations.size(); ++j)
    channels.push_back({.joint = static_cast<JointIndex>(j), .turns = &body.rotations[j]});
  return channels;
}

// Of a joint that both moves and turns its displacements, if no kind is said.
Result<Channel> channel_of(BodyDecomposition& body, const body::BodyMap& map, const GoalsOptions& options,
                           const std::string& name) {
  const auto joint = body::resolve_joint(*body.skeleton, map, name);
  if (!joint) return std::unexpected(joint.error());
  for (const Channel& channel : channels_of(body))
    if (channel.joint == *joint && (options.kind.empty() || options.kind == channel.kind())) return channel;
  return fail(ErrorCode::invalid_argument, "'{}' does not move in its parent's frame, expected --kind rotation",
              body.skeleton->name(*joint));
}

// What was typed behind one joint, and where in the whole list each edit stands.
struct ChannelEdits {
  Channel channel;
  std::vector<SubmovementEdit> edits;
  std::vector<std::size_t> places;
};

Result<std::vector<ChannelEdits>> edits_by_channel(BodyDecomposition& body, const body::BodyMap& map,
                                                   const GoalsOptions& options) {
  std::vector<ChannelEdits> groups;
  for (std::size_t i = 0; i < options.edits.size(); ++i) {
    if (options.edits[i].joint.empty()) continue;
    const auto channel = channel_of(body, map, options, options.edits[i].joint);
    if (!channel) return std::unexpected(channel.error());
    auto own = std::ranges::find_if(groups, [&](const auto& g) { return g.channel.joint == channel->joint; });
    if (own == groups.end()) own = groups.insert(groups.end(), {*channel, {}, {}});
    own->edits.push_back(options.edits[i].edit);
    own->places.push_back(i);
  }
  return groups;
}

// Edits of all times, of every joint.
Result<void> edit_whole_body(BodyDecomposition& body, const GoalsOptions& options) {
  for (const auto& [joint, edit] : options.edits) {
    if (!joint.empty()) continue;
    const bool stretch = edit.kind == SubmovementEdit::Kind::stretch;
    if (const auto ok = submovement::retime(body, stretch ? edit.from : 1.0, stretch ? 0.0 : edit.from); !ok)
      return fail(ok.error().code, "{}: {}", edit.asked, ok.error().message);
  }
  return {};
}

// Makes one joint's edits; says of each where the joint then is when the submovement ends.
Result<void> edit_channel(const ChannelEdits& own, const std::string& name, Report& report) {
  const Channel& channel = own.channel;
  const auto places = channel.moves ? documents::apply_edits(*channel.moves, own.edits)
                                    : documents::apply_edits(*channel.turns, in_radians(own.edits));
  if (!places) return fail(places.error().code, "{}: {}", name, places.error().message);
  const GoalList goals = channel.goals();
  nlohmann::ordered_json edits = edits_json(own.edits, *places, goals);
  for (std::size_t i = 0; i < edits.size(); ++i) {
    nlohmann::ordered_json& entry = report.json["edits"][own.places[i]];
    entry = {{"joint", name}};
    entry.update(edits[i]);
    report.text += fmt::format("  {} {}", name, own.edits[i].asked);
    if (const auto place = (*places)[i]) {
      report.text += ": " + passes_text(goals, *place);
      if (const auto missed = missed_by(own.edits[i], goals, *place))
        report.text += ", " + missed_text(own.edits[i], goals, *place, *missed);
    }
    report.text += "\n";
  }
  warn_of_haste(own.edits, *places, goals, report);
  return {};
}

Result<void> edit_body(BodyDecomposition& body, const body::BodyMap& map, const GoalsOptions& options, Report& report) {
  for (const TypedEdit& typed : options.edits) report.json["edits"].push_back({{"edit", typed.edit.asked}});
  if (const auto ok = edit_whole_body(body, options); !ok) return ok;
  const auto groups = edits_by_channel(body, map, options);
  if (!groups) return std::unexpected(groups.error());
  for (const ChannelEdits& own : *groups)
    if (const auto ok = edit_channel(own, body.skeleton->name(own.channel.joint), report); !ok) return ok;
  if (!options.mirror) return {};
  auto seen = submovement::mirror(body, body::mirror_partners(*body.skeleton, map));
  if (!seen) return std::unexpected(seen.error());
  body = std::move(*seen);
  report.json["edits"].push_back({{"edit", "--mirror"}});
  report.text += "  --mirror\n";
  return {};
}

// The goals of the joints that were named, or of all.
Result<std::string> list_goals(BodyDecomposition& body, const body::BodyMap& map, const GoalsOptions& options,
                               nlohmann::ordered_json& list) {
  std::vector<Channel> channels;
  if (options.joints.empty()) channels = channels_of(body);
  for (const std::string& name : options.joints) {
    const auto channel = channel_of(body, map, options, name);
    if (!channel) return std::unexpected(channel.error());
    if (std::ranges::none_of(channels, [&](const Channel& c) { return c.joint == channel->joint; }))
      channels.push_back(*channel);
  }
  std::string tables;
  for (const Channel& channel : channels) {
    const GoalList own = channel.goals();
    const std::string& name = body.skeleton->name(channel.joint);
    for (std::size_t k = 0; k < own.rows.size(); ++k) {
      nlohmann::ordered_json entry = {{"joint", name}, {"kind", channel.kind()}, {"k", k}};
      entry.update(goal_json(own, k));
      list.push_back(std::move(entry));
    }
    if (!own.rows.empty()) tables += fmt::format("{}, {}\n{}", name, channel.kind(), goal_table(own));
  }
  return tables;
}

Result<Report> goals(const GoalsOptions& options) {
  auto body = documents::read_document(options.file, documents::parse_submovements);
  if (!body) return std::unexpected(body.error());
  const body::BodyMap map = body::guess_body_map(*body->skeleton);
  Report report;
  auto list = nlohmann::ordered_json::array();
  report.json = {
      {"frames", body->frame_count}, {"fps", 1.0 / body->frame_time_s}, {"submovements", list}, {"edits", list}};
  if (const auto ok = edit_body(*body, map, options, report); !ok)
    return fail(ok.error().code, "{}: {}", options.file, ok.error().message);
  const auto tables = list_goals(*body, map, options, list);
  if (!tables) return fail(tables.error().code, "{}: {}", options.file, tables.error().message);
  report.text = fmt::format("{}: {:.3f} s, {} submovements of {} in all\n", options.file,
                            body->frame_count * body->frame_time_s, list.size(), body->submovement_count()) +
                (options.out.empty() ? *tables : report.text);
  report.json["frames"] = body->frame_count;
  report.json["submovements"] = std::move(list);
  if (!options.out.empty()) {
    if (const auto ok = documents::write_submovements(options.out, *body); !ok) return std::unexpected(ok.error());
    report.text += fmt::format("{}: written\n", options.out);
  }
  return report;
}

void check_usage(const GoalsOptions& options) {
  const auto wrong = [](const std::string& what) { throw CLI::ValidationError("goals", what); };
  if (!options.kind.empty() && options.joints.empty()) wrong("--kind needs --joint");
  if (options.out.empty() && !options.edits.empty()) wrong(options.edits[0].edit.asked + " needs -o FILE");
  if (options.out.empty() && options.mirror) wrong("--mirror needs -o FILE");
  for (const auto& [joint, edit] : options.edits)
    if (joint.empty() && edit.index != SubmovementEdit::kAll) wrong(edit.asked + " needs a --joint before it");
}

}  // namespace

void add_goals(CLI::App& app, Job& job) {
  const auto [verb, options] =
      add_verb(app, job, "goals", "List the goals in a submovement file, and edit them", goals);
  verb->add_option("file", options->file, "What decompose --all wrote: .submove, or its form as text")->required();
  verb->add_option("--joint", options->joints,
                   "Joint or body role that is listed (all), and that edits after it change")
      ->allow_extra_args(false);
  verb->add_option("--kind", options->kind, "position or rotation (position where the joint has one)")
      ->check(CLI::IsMember({"position", "rotation"}));
  add_goal_edits(*verb, options->typed);
  verb->add_flag("--mirror", options->mirror, "Exchange left and right, after all other edits");
  verb->add_option("-o,--output", options->out, "Submovement file to write, as text where it ends in .json");
  verb->footer(
      "Examples:\n"
      "  shosa goals drink.submove --joint right_lower_arm\n"
      "  shosa goals drink.submove --joint right_upper_arm --move-goal-by 2,0,0,20 --joint hips --shift 1,0.2 -o "
      "x.submove\n"
      "  shosa goals drink.submove --stretch 1.5 -o slower.submove.json");
  verb->parse_complete_callback([options, verb] {
    options->edits = typed_edits(*verb);
    check_usage(*options);
  });
}

}  // namespace shosa::cli
