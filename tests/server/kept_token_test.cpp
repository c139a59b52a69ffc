// The token of a door outlives it, and is believed only where nobody else could have read or laid it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "shosa/io/read_text.h"
#include "shosa/server/studio.h"
#include "support/test_folder.h"

namespace shosa::test {
namespace {

namespace fs = std::filesystem;

class DoorToken : public FolderTest {};

TEST_F(DoorToken, IsKeptFromStartToStartForThisUserAlone) {
  fs::create_directories(folder_ / "p/clips");
  const fs::path state = folder_ / "state";
  const auto token = [&](server::StudioParams params) {
    params.state_folder = state;
    if (params.folder.empty()) params.folder = folder_ / "p";
    const std::string address = server::Studio::open(params)->address();
    return address.substr(address.find("token=") + 6);
  };
  const std::string first = token({});
  EXPECT_EQ(token({}), first);
  EXPECT_EQ(token({.folder = folder_ / "p/clips/.."}), first) << "the same folder by another name";
  EXPECT_NE(token({.folder = folder_ / "p/clips"}), first);
  EXPECT_NE(token({.read_only = true}), first) << "who may read may not write";
  EXPECT_NE(token({.listen = "127.0.0.2"}), token({.listen = "127.0.0.2"})) << "it could have been heard";
  EXPECT_EQ(token({}), first);

  const std::string second = token({.new_token = true});
  EXPECT_NE(second, first);
  EXPECT_EQ(token({}), second);

  std::vector<fs::path> kept;
  for (const auto& entry : fs::directory_iterator(state / "studio_tokens")) kept.push_back(entry.path());
  EXPECT_EQ(kept.size(), 3u);
  EXPECT_EQ(fs::status(state / "studio_tokens").permissions(), fs::perms::owner_all);
  const fs::path file =
      *std::ranges::find_if(kept, [&](const fs::path& each) { return *io::read_text(each) == second; });
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  // What others could have read or laid there is not believed.
  fs::permissions(file, fs::perms::group_read, fs::perm_options::add);
  const std::string third = token({});
  EXPECT_NE(third, second);
  EXPECT_EQ(token({}), third);
  std::ofstream(file) << std::string(32, 'x');
  EXPECT_NE(token({}), std::string(32, 'x'));
  std::ofstream(folder_ / "laid") << third;
  fs::permissions(folder_ / "laid", fs::perms::owner_read);
  fs::remove(file);
  fs::create_symlink(folder_ / "laid", file);
  EXPECT_NE(token({}), third);
  EXPECT_EQ(*io::read_text(folder_ / "laid"), third) << "and not written through";
}

}  // namespace
}  // namespace shosa::test
