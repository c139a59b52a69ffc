#pragma once

#include <string>

namespace shosa::test {

/// A standing body of seven joints in centimetres, Y up: hips, two legs of three, no arms. 6 + 6 * 3 channels.
inline const std::string kLegsHierarchy = R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT LeftUpLeg
  {
    OFFSET 10 -5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT LeftLeg
    {
      OFFSET 0 -42 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT LeftFoot
      {
        OFFSET 0 -41 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {
          OFFSET 0 -6 15
        }
      }
    }
  }
  JOINT RightUpLeg
  {
    OFFSET -10 -5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT RightLeg
    {
      OFFSET 0 -42 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT RightFoot
      {
        OFFSET 0 -41 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {
          OFFSET 0 -6 15
        }
      }
    }
  }
}
)";

/// One frame line: root position, then the same three angles for every joint.
inline std::string legs_line(const std::string& position, const std::string& angles) {
  std::string line = position;
  for (int i = 0; i < 7; ++i) line += " " + angles;
  return line;
}

/// A chain of one root and one child, one metre long in the given channels, with these frame lines.
inline std::string chain_text(const std::string& root_channels, const std::string& child_channels,
                              const std::string& frames, int frame_count, const std::string& child_offset = "0 1 0") {
  return "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS " + root_channels + "\nJOINT b\n{\nOFFSET " + child_offset +
         "\nCHANNELS " + child_channels +
         "\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: " + std::to_string(frame_count) +
         "\nFrame Time: 0.1\n" + frames;
}

}  // namespace shosa::test
