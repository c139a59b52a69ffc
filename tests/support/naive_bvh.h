#pragma once

#include <Eigen/Geometry>
#include <fstream>
#include <iterator>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

namespace shosa::test {

/// A second reading of BVH that shares no code with the library: words split at blanks, one matrix per channel, in file
/// units. For files that are known to be good.
class NaiveBvh {
 public:
  struct Node {
    std::string name;
    int parent = -1;
    bool end_site = false;
    Eigen::Vector3d offset = Eigen::Vector3d::Zero();
    std::vector<std::string> channels;
    std::size_t first_channel = 0;
  };

  /// The format does not say whether positions replace the OFFSET or are added to it; the caller does.
  NaiveBvh(const std::string& path, bool add_root_offset, bool add_other_offsets)
      : add_root_offset_(add_root_offset), add_other_offsets_(add_other_offsets) {
    std::ifstream stream(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), {});
    for (char& c : text) {
      if (c == '\r' || c == '\t') c = ' ';
    }
    std::istringstream lines(text);
    std::string line;
    int current = -1;
    while (std::getline(lines, line)) {
      std::istringstream words(line);
      std::string word;
      if (!(words >> word)) continue;
      if (word == "MOTION") break;
      if (word == "ROOT" || word == "JOINT" || word == "End") {
        Node node;
        std::getline(words >> std::ws, node.name);
        while (!node.name.empty() && node.name.back() == ' ') node.name.pop_back();
        node.parent = current;
        node.end_site = word == "End";
        nodes.push_back(node);
      } else if (word == "{") {
        current = static_cast<int>(nodes.size()) - 1;
      } else if (word == "}") {
        current = nodes[current].parent;
      } else if (word == "OFFSET") {
        words >> nodes[current].offset.x() >> nodes[current].offset.y() >> nodes[current].offset.z();
      } else if (word == "CHANNELS") {
        words >> word;
        nodes[current].first_channel = channel_count_;
        while (words >> word) nodes[current].channels.push_back(word);
        channel_count_ += nodes[current].channels.size();
      }
    }
    // "Frames: n" and "Frame Time: s".
    for (int i = 0; i < 2;) {
      std::getline(lines, line);
      if (line.find(':') != std::string::npos) ++i;
    }
    std::vector<double> frame;
    double value = 0.0;
    while (lines >> value) {
      frame.push_back(value);
      if (frame.size() == channel_count_) frames.push_back(std::move(frame)), frame.clear();
    }
  }

  std::vector<Node> nodes;
  std::vector<std::vector<double>> frames;

  Eigen::Matrix4d world_from_node(int node, int frame) const {
    const Node& n = nodes[node];
    Eigen::Matrix4d local = Eigen::Matrix4d::Identity();
    Eigen::Vector3d position = n.offset;
    const bool add = node == 0 ? add_root_offset_ : add_other_offsets_;
    for (std::size_t i = 0; i < n.channels.size(); ++i) {
      const double value = frames[frame][n.first_channel + i];
      const int axis = n.channels[i][0] - 'X';
      if (n.channels[i].substr(1) == "position") {
        position[axis] = value + (add ? n.offset[axis] : 0.0);
      } else {
        local = local * turn(axis, value * std::numbers::pi / 180.0);
      }
    }
    Eigen::Matrix4d place = Eigen::Matrix4d::Identity();
    place.topRightCorner<3, 1>() = position;
    local = place * local;
    return n.parent < 0 ? local : Eigen::Matrix4d(world_from_node(n.parent, frame) * local);
  }

 private:
  static Eigen::Matrix4d turn(int axis, double angle) {
    Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    m(a, a) = m(b, b) = std::cos(angle);
    m(b, a) = std::sin(angle);
    m(a, b) = -std::sin(angle);
    return m;
  }

  bool add_root_offset_;
  bool add_other_offsets_;
  std::size_t channel_count_ = 0;
};

}  // namespace shosa::test
