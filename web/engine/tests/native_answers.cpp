// Carries out a list of jobs with the C API of this machine, and writes what came out: what the module in a page must
// say too.
//   native_answers JOBS.json OUT_DIR
// JOBS.json: [{"op": "make", "as": "walk", "name": "walk_normal"}, {"op": "loop", "as": "walk_loop", "clip": "walk"},
// …]. For the job number N that gives a clip OUT_DIR/N.positions holds the world positions of all points in all frames
// (float), OUT_DIR/N.contacts a byte a frame; OUT_DIR/answers.json a status and a report for each job.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "shosa/c/shosa.h"

namespace {

using Json = nlohmann::ordered_json;  // clips are added to a folder in the order of the jobs' own text

class Runner {
 public:
  explicit Runner(std::filesystem::path out) : out_(std::move(out)) { shosa_context_create(nullptr, &context_); }
  ~Runner() { shosa_context_destroy(context_); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  Json run(const Json& job, std::size_t number) {
    clip_ = report_ = 0;
    const shosa_status status = carry_out(job, job.at("op"));
    Json answer = {{"status", shosa_status_name(status)}};
    if (status != SHOSA_OK) answer["error"] = shosa_error_text(context_);
    if (report_ != 0) answer["report"] = Json::parse(take(report_));
    if (clip_ != 0) {
      write_points(number);
      clips_[job.at("as")] = clip_;
    }
    return answer;
  }

 private:
  shosa_status carry_out(const Json& job, const std::string& op) {
    const auto text = [&](const char* key) { return job.at(key).get<std::string>(); };
    if (op == "make") return shosa_clip_make(context_, text("name").c_str(), &clip_);
    if (op == "evaluate") {
      const shosa_folder folder = folder_of(job.at("clips"));
      const shosa_status status = shosa_evaluate(context_, folder, text("kind").c_str(), "document.json",
                                                 text("document").c_str(), &clip_, &report_);
      shosa_free(context_, folder);
      return status;
    }
    if (op == "recompose") {
      const shosa_folder folder = folder_of(Json::object());
      const shosa_status status = shosa_evaluate(context_, folder, "submovements", "document.json",
                                                 texts_.at(text("of")).c_str(), &clip_, &report_);
      shosa_free(context_, folder);
      return status;
    }
    if (op == "join" || op == "plan") {
      const shosa_folder folder = folder_of(job.at("clips"));
      shosa_status status = SHOSA_OK;
      if (op == "join") {
        status = shosa_folder_join(context_, folder, job.at("smoothness"), &clip_, &report_);
      } else {
        shosa_graph graph = 0;
        status = shosa_graph_link(context_, folder, &graph, nullptr);
        if (status == SHOSA_OK)
          status =
              shosa_graph_plan(context_, graph, text("from").c_str(), text("to").c_str(), job.at("hurry"), &report_);
        if (graph != 0) shosa_free(context_, graph);
      }
      shosa_free(context_, folder);
      return status;
    }
    const shosa_clip clip = clips_.at(text("clip"));
    if (op == "study") return shosa_clip_analyze(context_, clip, &report_);
    if (op == "measure") return shosa_clip_measure(context_, clip, 0, &report_);
    if (op == "fix") return shosa_clip_fix(context_, clip, nullptr, &clip_, &report_);
    if (op == "mirror") return shosa_clip_mirror(context_, clip, &clip_);
    if (op == "loop") {
      shosa_loop_params params = SHOSA_LOOP_PARAMS_INIT;
      params.cycles = 2;
      return shosa_clip_loop(context_, clip, &params, &clip_, &report_);
    }
    if (op == "retarget")
      return shosa_clip_retarget(context_, clip, clips_.at(text("onto")), nullptr, &clip_, &report_);
    if (op == "drag") {
      const std::vector<double> keys = job.at("keys");
      return shosa_clip_drag(context_, clip, text("joint").c_str(), keys.data(), static_cast<uint32_t>(keys.size() / 4),
                             &clip_, &report_);
    }
    if (op == "decompose") {
      shosa_buffer document = 0;
      const shosa_status status = shosa_clip_decompose(context_, clip, nullptr, &document, &report_);
      if (status == SHOSA_OK) texts_[job.at("as")] = take(document);
      return status;
    }
    std::fprintf(stderr, "unknown job '%s'\n", op.c_str());
    std::exit(2);
  }

  shosa_folder folder_of(const Json& clips) {
    shosa_folder folder = 0;
    shosa_folder_create(context_, &folder);
    for (const auto& [name, clip] : clips.items())
      shosa_folder_add_clip(context_, folder, name.c_str(), clips_.at(clip.get<std::string>()));
    return folder;
  }

  std::string take(shosa_buffer buffer) {
    void* data = nullptr;
    std::size_t size = 0;
    shosa_buffer_data(context_, buffer, &data, &size);
    std::string content(static_cast<const char*>(data), size);
    shosa_free(context_, buffer);
    return content;
  }

  void write_points(std::size_t number) {
    shosa_clip_info info = SHOSA_CLIP_INFO_INIT;
    shosa_clip_get_info(context_, clip_, &info);
    const std::uint32_t points = info.joint_count + info.end_site_count;
    std::vector<float> positions(std::size_t{3} * points * info.frame_count);
    shosa_clip_positions(context_, clip_, 0, info.frame_count, positions.data(), points);
    std::vector<std::uint8_t> contacts(info.frame_count);
    if (shosa_clip_contacts(context_, clip_, contacts.data(), info.frame_count) != SHOSA_OK) contacts.clear();
    std::ofstream(out_ / (std::to_string(number) + ".positions"), std::ios::binary)
        .write(reinterpret_cast<const char*>(positions.data()),
               static_cast<std::streamsize>(positions.size() * sizeof(float)));
    std::ofstream(out_ / (std::to_string(number) + ".contacts"), std::ios::binary)
        .write(reinterpret_cast<const char*>(contacts.data()), static_cast<std::streamsize>(contacts.size()));
  }

  std::filesystem::path out_;
  shosa_context* context_ = nullptr;
  shosa_clip clip_ = 0;
  shosa_buffer report_ = 0;
  std::map<std::string, shosa_clip> clips_;
  std::map<std::string, std::string> texts_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: native_answers JOBS.json OUT_DIR\n");
    return 2;
  }
  std::ifstream file(argv[1]);
  const Json jobs = Json::parse(file);
  std::filesystem::create_directories(argv[2]);
  Runner runner(argv[2]);
  Json answers = Json::array();
  for (std::size_t i = 0; i < jobs.size(); ++i) answers.push_back(runner.run(jobs[i], i));
  std::ofstream(std::filesystem::path(argv[2]) / "answers.json") << answers;
}
