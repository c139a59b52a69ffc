#include <algorithm>
#include <array>

#include "body/body_map_names.h"

namespace shosa::body::body_map_detail {
namespace {

struct Word {
  std::string_view key;
  Part part;
};

// One entry per word of CMU (BVH and ASF), Mixamo, LAFAN1, 3ds Max Biped, Bandai Namco, HumanIK, VRM, MakeHuman, Poser
// and DAZ, Biovision, SMPL, Xsens, Unreal, Unity, Rigify, Reallusion and the glTF samples; sorted by key for the binary
// search.
constexpr std::array kWords = std::to_array<Word>({
    {"ab", Part::spine},
    {"abdomen", Part::spine},
    {"abdomenlower", Part::spine},
    {"abdomenupper", Part::spine},
    {"ankle", Part::ankle},
    {"arm", Part::arm},
    {"armlower", Part::lower_arm},
    {"armupper", Part::upper_arm},
    {"back", Part::spine},
    {"ball", Part::toes},
    {"belly", Part::spine},
    {"body", Part::root},
    {"boneroot", Part::root},
    {"buttock", Part::hip_helper},
    {"calf", Part::lower_leg},
    {"center", Part::root},
    {"chest", Part::spine},
    {"chestlower", Part::spine},
    {"chestupper", Part::spine},
    {"clav", Part::clavicle},
    {"clavicle", Part::clavicle},
    {"cog", Part::root},
    {"collar", Part::clavicle},
    {"collarbone", Part::clavicle},
    {"crus", Part::lower_leg},
    {"elbow", Part::lower_arm},
    {"eye", Part::eye},
    {"eyeball", Part::eye},
    {"faceeye", Part::eye},
    {"femur", Part::upper_leg},
    {"finger", Part::finger},
    {"fingerbase", Part::ignored},
    {"fingers", Part::ignored},
    {"foot", Part::foot},
    {"footsteps", Part::ignored},
    {"forearm", Part::lower_arm},
    {"hand", Part::hand},
    {"handindex", Part::index},
    {"handmiddle", Part::middle},
    {"handpinky", Part::little},
    {"handring", Part::ring},
    {"handthumb", Part::thumb},
    {"head", Part::head},
    {"hip", Part::hips},
    {"hipjoint", Part::hip_helper},
    {"hips", Part::hips},
    {"humerus", Part::upper_arm},
    {"index", Part::index},
    {"jaw", Part::jaw},
    {"knee", Part::lower_leg},
    {"leg", Part::leg},
    {"leglower", Part::lower_leg},
    {"legupper", Part::upper_leg},
    {"little", Part::little},
    {"loarm", Part::lower_arm},
    {"loleg", Part::lower_leg},
    {"lowarm", Part::lower_arm},
    {"lowerabdomen", Part::spine},
    {"lowerarm", Part::lower_arm},
    {"lowerback", Part::spine},
    {"lowerchest", Part::spine},
    {"lowerleg", Part::lower_leg},
    {"lowerneck", Part::neck},
    {"lowerspine", Part::spine},
    {"lowleg", Part::lower_leg},
    {"mandible", Part::jaw},
    {"mid", Part::middle},
    {"middle", Part::middle},
    {"neck", Part::neck},
    {"necklower", Part::neck},
    {"necktwist", Part::neck},
    {"neckupper", Part::neck},
    {"palm", Part::palm},
    {"pelvis", Part::hips},
    {"pinkie", Part::little},
    {"pinky", Part::little},
    {"radius", Part::lower_arm},
    {"reference", Part::root},
    {"ring", Part::ring},
    {"root", Part::root},
    {"shank", Part::lower_leg},
    {"shin", Part::lower_leg},
    {"shldr", Part::upper_arm},
    {"shoulder", Part::shoulder},
    {"spine", Part::spine},
    {"spinelower", Part::spine},
    {"spinemid", Part::spine},
    {"spinemiddle", Part::spine},
    {"spineupper", Part::spine},
    {"stomach", Part::spine},
    {"tail", Part::tail},
    {"thigh", Part::upper_leg},
    {"thorax", Part::spine},
    {"thumb", Part::thumb},
    {"tibia", Part::lower_leg},
    {"toe", Part::toes},
    {"toebase", Part::toes},
    {"toes", Part::toes},
    {"torso", Part::spine},
    {"ulna", Part::lower_arm},
    {"uparm", Part::upper_arm},
    {"upleg", Part::upper_leg},
    {"upperabdomen", Part::spine},
    {"upperarm", Part::upper_arm},
    {"upperback", Part::spine},
    {"upperchest", Part::spine},
    {"upperleg", Part::upper_leg},
    {"upperneck", Part::neck},
    {"upperspine", Part::spine},
    {"waist", Part::spine},
    {"wrist", Part::wrist},
});
static_assert(std::ranges::is_sorted(kWords, {}, &Word::key));

}  // namespace

Part find_part(std::string_view key) {
  const auto found = std::ranges::lower_bound(kWords, key, {}, &Word::key);
  return found != kWords.end() && found->key == key ? found->part : Part::unknown;
}

}  // namespace shosa::body::body_map_detail
