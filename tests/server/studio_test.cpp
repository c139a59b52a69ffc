// The door as a browser, and as an attacker, meets it.
#include "shosa/server/studio.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#undef _res  // resolv.h's, and a name of Eigen's

#include "guard.h"
#include "scenes/scenes.h"
#include "shosa/io/content_hash.h"
#include "shosa/io/read_text.h"
#include "support/test_folder.h"

namespace shosa::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class Door : public FolderTest {
 protected:
  void SetUp() override {
    write("secret.txt", "secret");
    write("p/score.json", "{}");
    save("p/clips/walk.bvh", scenes::walk({.duration_s = 2.0}).clip);
    save("p/clips/run 歩.bvh", scenes::run().clip);
    start(false);
  }
  void TearDown() override { stop(); }
  void start(bool read_only) {
    auto opened = server::Studio::open({.folder = folder_ / "p", .read_only = read_only, .most_bytes = 8 << 20});
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    studio_ = std::make_unique<server::Studio>(std::move(*opened));
    const std::string address = studio_->address();
    ASSERT_TRUE(address.starts_with("http://127.0.0.1:")) << address;
    port_ = std::stoi(address.substr(17));
    token_ = address.substr(address.find("token=") + 6);
    thread_ = std::thread([this] { studio_->run(); });
  }
  void stop() {
    if (!studio_) return;
    studio_->stop();
    thread_.join();
    studio_.reset();
  }
  httplib::Headers headers(httplib::Headers more = {}) const {
    more.emplace("X-Shosa-Token", token_);
    return more;
  }
  httplib::Result get(const std::string& path, const httplib::Headers& more = {}) const {
    httplib::Client client("127.0.0.1", port_);
    client.set_url_encode(false);
    return client.Get(path, headers(more));
  }
  httplib::Result put(const std::string& path, const std::string& body, const httplib::Headers& more) const {
    httplib::Client client("127.0.0.1", port_);
    return client.Put(path, headers(more), body, "application/octet-stream");
  }
  int socket_to_door() const {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(port_));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(descriptor, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
    return descriptor;
  }
  /// The status of a request written byte by byte; 0: no answer.
  int raw(const std::string& request) const {
    const int descriptor = socket_to_door();
    (void)!::write(descriptor, request.data(), request.size());
    char answer[64] = {};
    const auto got = ::read(descriptor, answer, sizeof answer - 1);
    ::close(descriptor);
    return got > 12 ? std::atoi(answer + 9) : 0;
  }

  std::unique_ptr<server::Studio> studio_;
  std::thread thread_;
  int port_ = 0;
  std::string token_;
};

TEST_F(Door, ListsReadsWritesRenamesAndRemoves) {
  const auto listed = json::parse(get("/api/project")->body);
  ASSERT_EQ(listed["files"].size(), 3u);
  EXPECT_EQ(listed["files"][0]["path"], "clips/run 歩.bvh");
  const auto clip = get("/api/files/clips/run%20%E6%AD%A9.bvh");
  EXPECT_EQ(clip->get_header_value("Cross-Origin-Resource-Policy"), "same-origin");
  EXPECT_THAT(clip->get_header_value("Content-Security-Policy"), HasSubstr("default-src 'none'"));
  EXPECT_EQ(clip->status, 200);
  EXPECT_EQ(clip->body, *io::read_text(folder_ / "p/clips/run 歩.bvh"));

  const std::string seen = get("/api/files/score.json")->get_header_value("ETag");
  EXPECT_EQ(put("/api/files/score.json", "[1]", {})->status, 428);
  EXPECT_EQ(put("/api/files/score.json", "[1]", {{"If-Match", seen}})->status, 200);
  EXPECT_EQ(*io::read_text(folder_ / "p/score.json"), "[1]");
  const auto conflict = put("/api/files/score.json", "[2]", {{"If-Match", seen}});
  EXPECT_EQ(conflict->status, 409);
  EXPECT_EQ(json::parse(conflict->body)["hash"], io::content_hash("[1]"));
  EXPECT_EQ(*io::read_text(folder_ / "p/score.json"), "[1]");
  EXPECT_EQ(put("/api/files/new.json", "{}", {{"If-None-Match", "*"}})->status, 200);
  EXPECT_EQ(put("/api/files/new.json", "{}", {{"If-None-Match", "*"}})->status, 409);

  httplib::Client client("127.0.0.1", port_);
  const httplib::Headers own = headers({{"If-Match", io::content_hash("{}")}});
  EXPECT_EQ(
      client.Post("/api/rename", own, R"({"from": "new.json", "to": "sub/old.json"})", "application/json")->status,
      200);
  EXPECT_EQ(client.Post("/api/rename", own, "no json", "application/json")->status, 400);
  EXPECT_EQ(client.Delete("/api/files/sub/old.json", own)->status, 200);
  EXPECT_FALSE(fs::exists(folder_ / "p/sub/old.json"));
  EXPECT_EQ(get("/api/files/sub/old.json")->status, 404);
  EXPECT_EQ(get("/api/nothing")->status, 404);
}

TEST_F(Door, AnswersTheLibraryAndPlaysClips) {
  EXPECT_EQ(get("/api/library")->status, 404);
  httplib::Client client("127.0.0.1", port_);
  client.set_read_timeout(60);
  EXPECT_EQ(json::parse(client.Post("/api/library/index", headers(), "", "text/plain")->body)["clips"], 2);
  const auto clips = json::parse(get("/api/library?words=walk")->body)["clips"];
  ASSERT_EQ(clips.size(), 1u);
  EXPECT_EQ(clips[0]["file"], "clips/walk.bvh");
  const auto like = get("/api/library?like=clips/walk.bvh@1");
  EXPECT_EQ(json::parse(like->body)["matches"].size(), 1u);
  EXPECT_EQ(get("/api/library?like=../secret.txt@1")->status, 400);
  EXPECT_EQ(get("/api/library?like=clips/walk.bvh@1&limit=2x")->status, 400);
  // An @ in the middle is no time: what stands behind it is part of the path.
  fs::create_directories(folder_ / "p/a@..");
  save("outside.bvh", scenes::walk().clip);
  EXPECT_EQ(get("/api/library?like=a@../../../outside.bvh")->status, 400);
  // What a link leads to outside is not told of either.
  fs::create_symlink(folder_ / "outside.bvh", folder_ / "p/clips/linked.bvh");
  EXPECT_EQ(json::parse(client.Post("/api/library/index", headers(), "", "text/plain")->body)["clips"], 3);
  EXPECT_EQ(json::parse(get("/api/library")->body)["clips"].size(), 2u);
  EXPECT_EQ(json::parse(get("/api/library?like=clips/walk.bvh@1")->body)["matches"].size(), 1u);
  EXPECT_EQ(get("/api/library?speed=x")->status, 400);
  const auto positions = json::parse(get("/api/clip?path=clips/walk.bvh")->body);
  EXPECT_EQ(positions["positions_mm"].size(), positions["frames"].get<std::size_t>() * positions["parents"].size() * 3);
  EXPECT_EQ(get("/api/clip?path=../secret.txt")->status, 400);
  EXPECT_EQ(get("/api/clip?path=score.json")->status, 422);
}

TEST_F(Door, OpensOnlyToItsTokenHostAndPages) {
  const std::string host = "127.0.0.1:" + std::to_string(port_);
  const auto request = [&](const std::string& target, const std::string& lines) {
    return raw("GET " + target + " HTTP/1.1\r\n" + lines + "\r\n");
  };
  const std::string right = "Host: " + host + "\r\nX-Shosa-Token: " + token_ + "\r\n";
  EXPECT_EQ(request("/api/project", right), 200);
  EXPECT_EQ(request("/?token=" + token_, "Host: localhost:" + std::to_string(port_) + "\r\n"), 200);
  EXPECT_EQ(request("/", "Host: " + host + "\r\n"), 401);
  // The page's own scripts are open to all who may ask at all; there is none of this name.
  EXPECT_EQ(request("/assets/none.js", "Host: " + host + "\r\n"), 404);
  EXPECT_EQ(request("/assets/none.js", "Host: evil.example\r\n"), 403);
  EXPECT_EQ(request("/assets/../api/project", "Host: " + host + "\r\n"), 404);
  EXPECT_EQ(raw("PUT /assets/none.js HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 0\r\n\r\n"), 401);
  EXPECT_EQ(request("/api/project", "Host: " + host + "\r\nX-Shosa-Token: x\r\n"), 401);
  EXPECT_EQ(request("/api/project", "Host: " + host + "\r\nX-Shosa-Token: " + token_ + "0\r\n"), 401);
  EXPECT_EQ(request("/api/project?token=" + token_.substr(1), "Host: " + host + "\r\n"), 401);
  EXPECT_EQ(request("/api/project", "X-Shosa-Token: " + token_ + "\r\n"), 403);
  EXPECT_EQ(
      request("/api/project", "Host: evil.example:" + std::to_string(port_) + "\r\nX-Shosa-Token: " + token_ + "\r\n"),
      403);
  EXPECT_EQ(request("/api/project", "Host: 127.0.0.1:1\r\nX-Shosa-Token: " + token_ + "\r\n"), 403);
  EXPECT_EQ(request("/api/project", right + "Origin: http://evil.example\r\n"), 403);
  EXPECT_EQ(request("/api/project", right + "Origin: null\r\n"), 403);
  EXPECT_EQ(request("/api/project", right + "Origin: https://" + host + "\r\n"), 403);
  EXPECT_EQ(request("/api/project", right + "Origin: http://" + host + "\r\n"), 200);
  EXPECT_FALSE(raw("\r\n\r\n") == 200 || raw("nonsense\r\n\r\n") == 200 ||
               raw("GET / HTTP/9\r\n" + right + "\r\n") == 200);
  int refused = 0;
  for (int i = 0; i < 60; ++i) refused += request("/", "Host: " + host + "\r\n") == 429;
  EXPECT_GT(refused, 10) << "tokens are not guessed at any rate";
  EXPECT_EQ(request("/api/project", right), 200) << "who knows it is not held up by that";
  // Nor by those who ask for the page's scripts as fast as they can.
  refused = 0;
  for (int i = 0; i < 1000; ++i) refused += request("/assets/none.js", "Host: " + host + "\r\n") == 429;
  EXPECT_GT(refused, 0);
  EXPECT_EQ(request("/api/project", right), 200);
}

TEST(DoorGuard, ANameOfSomebodyElseIsNoHostOfOurs) {
  using server::is_own_host;
  EXPECT_TRUE(is_own_host("127.0.0.1:80", "127.0.0.1", 80));
  EXPECT_TRUE(is_own_host("192.168.1.7:80", "192.168.1.7", 80));
  EXPECT_TRUE(is_own_host("[::1]:80", "::1", 80));
  EXPECT_FALSE(is_own_host("192.168.1.8:80", "192.168.1.7", 80));
  // Everywhere: every address of this machine, but no name, which may be pointed at it by anybody.
  EXPECT_TRUE(is_own_host("192.168.1.8:80", "0.0.0.0", 80));
  EXPECT_TRUE(is_own_host("[fe80::1]:80", "::", 80));
  for (const char* host :
       {"evil.example:80", "192.168.1.8:81", "192.168.1.8", "192.168.1.8.evil.example:80", ":80", ""})
    EXPECT_FALSE(is_own_host(host, "0.0.0.0", 80)) << host;
  EXPECT_EQ(server::host_of("0.0.0.0"), "127.0.0.1");
  EXPECT_EQ(server::host_of("fe80::1"), "[fe80::1]");
}

TEST_F(Door, PathsOutOfTheProjectAreRefusedInEveryEncoding) {
  fs::create_symlink(folder_, folder_ / "p/up");
  const std::string right = "Host: 127.0.0.1:" + std::to_string(port_) + "\r\nX-Shosa-Token: " + token_ + "\r\n\r\n";
  for (const char* path :
       {"../secret.txt", "..%2fsecret.txt", "%2e%2e/secret.txt", "%2e%2e%2fsecret.txt", "%252e%252e%252fsecret.txt",
        "clips/../../secret.txt", "..%5csecret.txt", "..\\secret.txt", "%c0%ae%c0%ae/secret.txt", "..%00/secret.txt",
        "/etc/passwd", "%2fetc%2fpasswd", "up/secret.txt", "up%2fsecret.txt", "score.json%00.txt", ".shosa/index.db",
        "....//secret.txt", "..;/secret.txt", "%u002e%u002e/secret.txt"}) {
    const int status = raw(std::string("GET /api/files/") + path + " HTTP/1.1\r\n" + right);
    EXPECT_TRUE(status == 400 || status == 404) << path << " " << status;
  }
}

TEST_F(Door, LargeUploadsAreRefusedAndNothingIsWritten) {
  const auto large = put("/api/files/large.bin", std::string(100 << 20, 'x'), {{"If-None-Match", "*"}});
  EXPECT_TRUE(!large || large->status == 413);  // or the connection is closed under the client
  EXPECT_FALSE(fs::exists(folder_ / "p/large.bin"));
  // A length that is only claimed.
  const int claimed =
      raw("PUT /api/files/x HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\nX-Shosa-Token: " + token_ +
          "\r\nIf-None-Match: *\r\nContent-Length: 5000000\r\n\r\nshort");
  EXPECT_NE(claimed, 200);
  EXPECT_FALSE(fs::exists(folder_ / "p/x"));
  EXPECT_EQ(put("/api/files/fits.bin", std::string(7 << 20, 'x'), {{"If-None-Match", "*"}})->status, 200);
}

TEST_F(Door, ABodyWithoutAnHonestLengthIsRefused) {
  const std::string head = " /api/files/x HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
                           "\r\nX-Shosa-Token: " + token_ + "\r\nIf-None-Match: *\r\n";
  // In pieces, without end, and packed: the library would read all of them without a limit.
  EXPECT_EQ(raw("PUT" + head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"), 411);
  EXPECT_EQ(raw("PUT" + head + "\r\n{}"), 411);
  EXPECT_EQ(raw("PATCH" + head + "\r\n{}"), 411);
  EXPECT_EQ(raw("PUT" + head + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"), 415);
  EXPECT_EQ(raw("PUT" + head + "Content-Length: 99999999999\r\n\r\n{}"), 413);
  EXPECT_EQ(raw("PUT" + head + "Content-Length: -1\r\n\r\n{}"), 413);
  EXPECT_FALSE(fs::exists(folder_ / "p/x"));
  // Many ranges of one file would be put together in memory.
  EXPECT_EQ(get("/api/files/score.json", {{"Range", "bytes=0-1,0-1,0-1"}})->status, 416);
  EXPECT_EQ(raw("PUT" + head + "Content-Length: 2\r\n\r\n{}"), 200);
}

TEST_F(Door, FiftyClientsWriteAndHalfOpenOnesDoNotHoldThemUp) {
  std::vector<int> idle;
  for (int i = 0; i < 40; ++i) {
    idle.push_back(socket_to_door());
    (void)!::write(idle.back(), "GET / HT", 8);
  }
  std::vector<std::future<int>> written;
  for (int i = 0; i < 50; ++i)
    written.push_back(std::async(std::launch::async, [this, i] {
      const auto answer =
          put("/api/files/many/" + std::to_string(i), std::string(10'000, 'a' + i % 26), {{"If-None-Match", "*"}});
      return answer ? answer->status : 0;
    }));
  for (auto& one : written) EXPECT_EQ(one.get(), 200);
  // All of them replace one file that all have seen: exactly one does.
  const std::string seen = get("/api/files/score.json")->get_header_value("ETag");
  std::vector<std::future<int>> raced;
  for (int i = 0; i < 20; ++i)
    raced.push_back(std::async(std::launch::async, [this, i, seen] {
      const auto answer = put("/api/files/score.json", "[" + std::to_string(i) + "]", {{"If-Match", seen}});
      return answer ? answer->status : 0;
    }));
  int done = 0;
  for (auto& one : raced) done += one.get() == 200;
  EXPECT_EQ(done, 1);
  for (const int descriptor : idle) ::close(descriptor);
}

TEST_F(Door, TellsOfChanges) {
  std::promise<std::string> heard;
  std::thread listener([&] {
    httplib::Client client("127.0.0.1", port_);
    client.set_read_timeout(30);
    std::string text;
    bool told = false;
    (void)client.Get("/api/events", headers(), [&](const char* data, std::size_t size) {
      text.append(data, size);
      const bool more = text.find("\"what\"") == std::string::npos;
      if (!more && !told) told = true, heard.set_value(text);
      return more;
    });
    if (!told) heard.set_value(text);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));  // the listener is there, and the watcher has looked
  std::ofstream(folder_ / "p/appeared.json") << "{}";
  EXPECT_THAT(heard.get_future().get(), HasSubstr(R"(data: {"path":"appeared.json","what":"added"})"));
  listener.join();
}

TEST_F(Door, ForReadingChangesNothing) {
  stop();
  start(true);
  EXPECT_EQ(put("/api/files/new.json", "{}", {{"If-None-Match", "*"}})->status, 403);
  httplib::Client client("127.0.0.1", port_);
  EXPECT_EQ(client.Delete("/api/files/score.json", headers({{"If-Match", io::content_hash("{}")}}))->status, 403);
  EXPECT_EQ(client.Post("/api/library/index", headers(), "", "text/plain")->status, 403);
  EXPECT_EQ(get("/api/files/score.json")->body, "{}");
  EXPECT_FALSE(fs::exists(folder_ / "p/.shosa"));
}

TEST_F(Door, APortThatIsTakenIsSaid) {
  const auto second = server::Studio::open({.folder = folder_ / "p", .port = port_});
  ASSERT_FALSE(second.has_value());
  EXPECT_THAT(second.error().message, HasSubstr("cannot be listened at"));
  EXPECT_EQ(server::Studio::open({.folder = folder_ / "none"}).error().code, ErrorCode::cannot_read);
}

}  // namespace
}  // namespace shosa::test
