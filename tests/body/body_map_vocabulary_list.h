#pragma once

#include "body/body_map_vocabularies.h"

namespace shosa::test {

inline std::vector<Vocabulary> all_vocabularies() {
  return {
      {"cmu_bvh", R"(
        Hips ; - ; hips
        {C}HipJoint ; Hips ; hips ; -
        {S}UpLeg ; {C}HipJoint ; left_upper_leg
        {S}Leg ; {S}UpLeg ; left_lower_leg
        {S}Foot ; {S}Leg ; left_foot
        {S}ToeBase ; {S}Foot ; left_toes
        LowerBack ; Hips ; hips ; spine
        Spine ; LowerBack ; spine ; chest
        Spine1 ; Spine ; upper_chest
        Neck ; Spine1 ; upper_chest ; neck
        Neck1 ; Neck ; mid_neck ; -
        Head ; Neck1 ; head
        {S}Shoulder ; Spine1 ; upper_chest ; left_shoulder
        {S}Arm ; {S}Shoulder ; left_upper_arm
        {S}ForeArm ; {S}Arm ; left_lower_arm
        {S}Hand ; {S}ForeArm ; left_hand
        {S}FingerBase ; {S}Hand ; left_hand ; -
        {S}HandIndex1 ; {S}FingerBase ; left_index_proximal
        {C}Thumb ; {S}Hand ; left_hand ; left_thumb_metacarpal)"},
      {"cmu_asf", R"(
        root ; - ; hips
        {c}hipjoint ; root ; hips ; -
        {c}femur ; {c}hipjoint ; left_upper_leg
        {c}tibia ; {c}femur ; left_lower_leg
        {c}foot ; {c}tibia ; left_foot
        {c}toes ; {c}foot ; left_toes
        lowerback ; root ; hips ; spine
        upperback ; lowerback ; spine ; chest
        thorax ; upperback ; chest ; upper_chest
        lowerneck ; thorax ; upper_chest ; neck
        upperneck ; lowerneck ; neck ; -
        head ; upperneck ; head
        {c}clavicle ; thorax ; upper_chest ; left_shoulder
        {c}humerus ; {c}clavicle ; left_upper_arm
        {c}radius ; {c}humerus ; left_lower_arm
        {c}wrist ; {c}radius ; left_hand
        {c}hand ; {c}wrist ; left_palm ; -
        {c}fingers ; {c}hand ; left_index_proximal ; -
        {c}thumb ; {c}wrist ; left_hand ; left_thumb_metacarpal)"},
      {"mixamo", R"(
        mixamorig:Hips ; - ; hips
        mixamorig:Spine ; mixamorig:Hips ; spine
        mixamorig:Spine1 ; mixamorig:Spine ; chest
        mixamorig:Spine2 ; mixamorig:Spine1 ; upper_chest
        mixamorig:Neck ; mixamorig:Spine2 ; neck
        mixamorig:Head ; mixamorig:Neck ; head
        mixamorig:HeadTop_End ; mixamorig:Head ; crown ; -
        mixamorig:{S}Shoulder ; mixamorig:Spine2 ; left_shoulder
        mixamorig:{S}Arm ; mixamorig:{S}Shoulder ; left_upper_arm
        mixamorig:{S}ForeArm ; mixamorig:{S}Arm ; left_lower_arm
        mixamorig:{S}Hand ; mixamorig:{S}ForeArm ; left_hand
        mixamorig:{S}HandThumb1 ; mixamorig:{S}Hand ; left_thumb_metacarpal
        mixamorig:{S}HandThumb2 ; mixamorig:{S}HandThumb1 ; left_thumb_proximal
        mixamorig:{S}HandThumb3 ; mixamorig:{S}HandThumb2 ; left_thumb_distal
        mixamorig:{S}HandIndex1 ; mixamorig:{S}Hand ; left_index_proximal
        mixamorig:{S}HandIndex2 ; mixamorig:{S}HandIndex1 ; left_index_intermediate
        mixamorig:{S}HandIndex3 ; mixamorig:{S}HandIndex2 ; left_index_distal
        mixamorig:{S}HandPinky1 ; mixamorig:{S}Hand ; left_little_proximal
        mixamorig:{S}HandPinky2 ; mixamorig:{S}HandPinky1 ; left_little_intermediate
        mixamorig:{S}UpLeg ; mixamorig:Hips ; left_upper_leg
        mixamorig:{S}Leg ; mixamorig:{S}UpLeg ; left_lower_leg
        mixamorig:{S}Foot ; mixamorig:{S}Leg ; left_foot
        mixamorig:{S}ToeBase ; mixamorig:{S}Foot ; left_toes
        mixamorig:{S}Toe_End ; mixamorig:{S}ToeBase ; left_toe_tip ; -)"},
      {"lafan1", R"(
        Hips ; - ; hips
        {S}UpLeg ; Hips ; left_upper_leg
        {S}Leg ; {S}UpLeg ; left_lower_leg
        {S}Foot ; {S}Leg ; left_foot
        {S}Toe ; {S}Foot ; left_toes
        Spine ; Hips ; spine
        Spine1 ; Spine ; chest
        Spine2 ; Spine1 ; upper_chest
        Neck ; Spine2 ; neck
        Head ; Neck ; head
        {S}Shoulder ; Spine2 ; left_shoulder
        {S}Arm ; {S}Shoulder ; left_upper_arm
        {S}ForeArm ; {S}Arm ; left_lower_arm
        {S}Hand ; {S}ForeArm ; left_hand)"},
      {"biped", R"(
        Bip01 ; - ; hips ; -
        Bip01 Footsteps ; Bip01 ; root ; -
        Bip01 Pelvis ; Bip01 ; hips
        Bip01 Spine ; Bip01 Pelvis ; spine
        Bip01 Spine1 ; Bip01 Spine ; chest
        Bip01 Neck ; Bip01 Spine1 ; neck
        Bip01 Head ; Bip01 Neck ; head
        Bip01 HeadNub ; Bip01 Head ; crown ; -
        Bip01 {C} Clavicle ; Bip01 Neck ; left_shoulder
        Bip01 {C} UpperArm ; Bip01 {C} Clavicle ; left_upper_arm
        Bip01 {C} Forearm ; Bip01 {C} UpperArm ; left_lower_arm
        Bip01 {C} Hand ; Bip01 {C} Forearm ; left_hand
        Bip01 {C} Finger0 ; Bip01 {C} Hand ; left_thumb_metacarpal
        Bip01 {C} Finger01 ; Bip01 {C} Finger0 ; left_thumb_proximal
        Bip01 {C} Finger1 ; Bip01 {C} Hand ; left_index_proximal
        Bip01 {C} Finger11 ; Bip01 {C} Finger1 ; left_index_intermediate
        Bip01 {C} Finger1Nub ; Bip01 {C} Finger11 ; left_index_distal ; -
        Bip01 {C} Thigh ; Bip01 Pelvis ; left_upper_leg
        Bip01 {C} Calf ; Bip01 {C} Thigh ; left_lower_leg
        Bip01 {C} Foot ; Bip01 {C} Calf ; left_foot
        Bip01 {C} Toe0 ; Bip01 {C} Foot ; left_toes
        Bip01 {C} Toe0Nub ; Bip01 {C} Toe0 ; left_toe_tip ; -)"},
      {"bandai", R"(
        joint_Root ; - ; root ; -
        Hips ; joint_Root ; hips
        Spine ; Hips ; spine
        Chest ; Spine ; chest
        Neck ; Chest ; neck
        Head ; Neck ; head
        Shoulder_{C} ; Chest ; left_shoulder
        UpperArm_{C} ; Shoulder_{C} ; left_upper_arm
        LowerArm_{C} ; UpperArm_{C} ; left_lower_arm
        Hand_{C} ; LowerArm_{C} ; left_hand
        UpperLeg_{C} ; Hips ; left_upper_leg
        LowerLeg_{C} ; UpperLeg_{C} ; left_lower_leg
        Foot_{C} ; LowerLeg_{C} ; left_foot
        Toes_{C} ; Foot_{C} ; left_toes)"},
      {"human_ik", R"(
        Character1_Reference ; - ; root ; -
        Character1_Hips ; Character1_Reference ; hips
        Character1_{S}UpLeg ; Character1_Hips ; left_upper_leg
        Character1_{S}UpLegRoll ; Character1_{S}UpLeg ; left_thigh_twist ; -
        Character1_{S}Leg ; Character1_{S}UpLeg ; left_lower_leg
        Character1_{S}Foot ; Character1_{S}Leg ; left_foot
        Character1_{S}ToeBase ; Character1_{S}Foot ; left_toes
        Character1_Spine ; Character1_Hips ; spine
        Character1_Spine1 ; Character1_Spine ; chest
        Character1_Neck ; Character1_Spine1 ; neck
        Character1_Head ; Character1_Neck ; head
        Character1_{S}Shoulder ; Character1_Spine1 ; left_shoulder
        Character1_{S}Arm ; Character1_{S}Shoulder ; left_upper_arm
        Character1_{S}ForeArm ; Character1_{S}Arm ; left_lower_arm
        Character1_{S}Hand ; Character1_{S}ForeArm ; left_hand
        Character1_{S}InHandIndex ; Character1_{S}Hand ; left_palm ; -
        Character1_{S}HandIndex1 ; Character1_{S}InHandIndex ; left_index_proximal
        Character1_{S}HandIndex2 ; Character1_{S}HandIndex1 ; left_index_intermediate)"},
      {"vrm", R"(
        hips ; - ; hips
        spine ; hips ; spine
        chest ; spine ; chest
        upperChest ; chest ; upper_chest
        neck ; upperChest ; neck
        head ; neck ; head
        jaw ; head ; jaw
        {s}Eye ; head ; left_eye
        {s}Shoulder ; upperChest ; left_shoulder
        {s}UpperArm ; {s}Shoulder ; left_upper_arm
        {s}LowerArm ; {s}UpperArm ; left_lower_arm
        {s}Hand ; {s}LowerArm ; left_hand
        {s}ThumbMetacarpal ; {s}Hand ; left_thumb_metacarpal
        {s}ThumbProximal ; {s}ThumbMetacarpal ; left_thumb_proximal
        {s}ThumbDistal ; {s}ThumbProximal ; left_thumb_distal
        {s}RingProximal ; {s}Hand ; left_ring_proximal
        {s}RingIntermediate ; {s}RingProximal ; left_ring_intermediate
        {s}RingDistal ; {s}RingIntermediate ; left_ring_distal
        {s}UpperLeg ; hips ; left_upper_leg
        {s}LowerLeg ; {s}UpperLeg ; left_lower_leg
        {s}Foot ; {s}LowerLeg ; left_foot
        {s}Toes ; {s}Foot ; left_toes)"},
      {"vroid", R"(
        Root ; - ; root ; -
        J_Bip_C_Hips ; Root ; hips
        J_Bip_C_Spine ; J_Bip_C_Hips ; spine
        J_Bip_C_Chest ; J_Bip_C_Spine ; chest
        J_Bip_C_UpperChest ; J_Bip_C_Chest ; upper_chest
        J_Sec_{C}_Bust1 ; J_Bip_C_UpperChest ; 0.05,1.3,0.1 ; -
        J_Bip_C_Neck ; J_Bip_C_UpperChest ; neck
        J_Bip_C_Head ; J_Bip_C_Neck ; head
        J_Adj_{C}_FaceEye ; J_Bip_C_Head ; left_eye
        J_Bip_{C}_Shoulder ; J_Bip_C_UpperChest ; left_shoulder
        J_Bip_{C}_UpperArm ; J_Bip_{C}_Shoulder ; left_upper_arm
        J_Bip_{C}_LowerArm ; J_Bip_{C}_UpperArm ; left_lower_arm
        J_Bip_{C}_Hand ; J_Bip_{C}_LowerArm ; left_hand
        J_Bip_{C}_Little1 ; J_Bip_{C}_Hand ; left_little_proximal
        J_Bip_{C}_Little2 ; J_Bip_{C}_Little1 ; left_little_intermediate
        J_Bip_{C}_UpperLeg ; J_Bip_C_Hips ; left_upper_leg
        J_Bip_{C}_LowerLeg ; J_Bip_{C}_UpperLeg ; left_lower_leg
        J_Bip_{C}_Foot ; J_Bip_{C}_LowerLeg ; left_foot
        J_Bip_{C}_ToeBase ; J_Bip_{C}_Foot ; left_toes)"},
      {"makehuman", R"(
        root ; - ; hips
        pelvis.{C} ; root ; waist ; -
        upperleg01.{C} ; pelvis.{C} ; left_upper_leg
        upperleg02.{C} ; upperleg01.{C} ; left_thigh_twist ; -
        lowerleg01.{C} ; upperleg02.{C} ; left_lower_leg
        lowerleg02.{C} ; lowerleg01.{C} ; left_shin_twist ; -
        foot.{C} ; lowerleg02.{C} ; left_foot
        toe1-1.{C} ; foot.{C} ; left_toes
        toe1-2.{C} ; toe1-1.{C} ; left_toe_tip ; -
        toe2-1.{C} ; foot.{C} ; 0.13,0.02,0.1 ; -
        spine05 ; root ; waist ; spine
        spine04 ; spine05 ; spine ; -
        spine03 ; spine04 ; chest
        spine02 ; spine03 ; mid_chest ; -
        spine01 ; spine02 ; upper_chest
        neck01 ; spine01 ; neck
        neck02 ; neck01 ; mid_neck ; -
        head ; neck02 ; head
        jaw ; head ; jaw
        special06.{C} ; head ; 0.02,1.7,0 ; -
        eye.{C} ; special06.{C} ; left_eye
        clavicle.{C} ; spine01 ; left_shoulder
        shoulder01.{C} ; clavicle.{C} ; left_shoulder_helper ; -
        upperarm01.{C} ; shoulder01.{C} ; left_upper_arm
        upperarm02.{C} ; upperarm01.{C} ; left_upper_arm_twist ; -
        lowerarm01.{C} ; upperarm02.{C} ; left_lower_arm
        lowerarm02.{C} ; lowerarm01.{C} ; left_lower_arm_twist ; -
        wrist.{C} ; lowerarm02.{C} ; left_hand
        finger1-1.{C} ; wrist.{C} ; left_thumb_metacarpal
        finger1-2.{C} ; finger1-1.{C} ; left_thumb_proximal
        metacarpal1.{C} ; wrist.{C} ; left_palm ; -
        finger2-1.{C} ; metacarpal1.{C} ; left_index_proximal
        finger2-2.{C} ; finger2-1.{C} ; left_index_intermediate
        finger2-3.{C} ; finger2-2.{C} ; left_index_distal)"},
      {"makehuman_blender", R"(
        Root ; - ; hips
        Spine1 ; Root ; spine
        Spine2 ; Spine1 ; chest
        Spine3 ; Spine2 ; upper_chest
        Neck ; Spine3 ; neck
        Head ; Neck ; head
        Clavicle_{C} ; Spine3 ; left_shoulder
        UpArm_{C} ; Clavicle_{C} ; left_upper_arm
        LoArm_{C} ; UpArm_{C} ; left_lower_arm
        Hand_{C} ; LoArm_{C} ; left_hand
        __Index1_{C} ; Hand_{C} ; left_palm ; -
        Index1_{C} ; __Index1_{C} ; left_index_proximal
        Index2_{C} ; Index1_{C} ; left_index_intermediate
        Hips ; Root ; 0,0.97,0 ; -
        __UpLeg_{C} ; Hips ; 0,0.93,0 ; -
        UpLeg_{C} ; __UpLeg_{C} ; left_upper_leg
        LoLeg_{C} ; UpLeg_{C} ; left_lower_leg
        Foot_{C} ; LoLeg_{C} ; left_foot
        Toe_{C} ; Foot_{C} ; left_toes)"},
      {"poser", R"(
        hip ; - ; hips
        abdomen ; hip ; spine
        chest ; abdomen ; chest
        neck ; chest ; neck
        head ; neck ; head
        {s}Eye ; head ; left_eye
        {c}Collar ; chest ; left_shoulder
        {c}Shldr ; {c}Collar ; left_upper_arm
        {c}ForeArm ; {c}Shldr ; left_lower_arm
        {c}Hand ; {c}ForeArm ; left_hand
        {c}Thumb1 ; {c}Hand ; left_thumb_metacarpal
        {c}Thumb2 ; {c}Thumb1 ; left_thumb_proximal
        {c}Mid1 ; {c}Hand ; left_middle_proximal
        {c}Mid2 ; {c}Mid1 ; left_middle_intermediate
        {c}Buttock ; hip ; left_hip_helper ; -
        {c}Thigh ; {c}Buttock ; left_upper_leg
        {c}Shin ; {c}Thigh ; left_lower_leg
        {c}Foot ; {c}Shin ; left_foot
        {c}Toe ; {c}Foot ; left_toes)"},
      {"daz_genesis", R"(
        hip ; - ; hips
        pelvis ; hip ; 0,0.98,0 ; -
        {c}ThighBend ; pelvis ; left_upper_leg
        {c}ThighTwist ; {c}ThighBend ; left_thigh_twist ; -
        {c}Shin ; {c}ThighTwist ; left_lower_leg
        {c}Foot ; {c}Shin ; left_foot
        {c}Toe ; {c}Foot ; left_toes
        abdomenLower ; hip ; spine
        abdomenUpper ; abdomenLower ; chest ; -
        chestLower ; abdomenUpper ; mid_chest ; chest
        chestUpper ; chestLower ; upper_chest
        {c}Collar ; chestUpper ; left_shoulder
        {c}ShldrBend ; {c}Collar ; left_upper_arm
        {c}ShldrTwist ; {c}ShldrBend ; left_upper_arm_twist ; -
        {c}ForearmBend ; {c}ShldrTwist ; left_lower_arm
        {c}ForearmTwist ; {c}ForearmBend ; left_lower_arm_twist ; -
        {c}Hand ; {c}ForearmTwist ; left_hand
        {c}Index1 ; {c}Hand ; left_index_proximal
        neckLower ; chestUpper ; neck
        neckUpper ; neckLower ; mid_neck ; -
        head ; neckUpper ; head)"},
      {"biovision", R"(
        Hips ; - ; hips
        {S}Hip ; Hips ; left_upper_leg
        {S}Knee ; {S}Hip ; left_lower_leg
        {S}Ankle ; {S}Knee ; left_foot
        {S}Toe ; {S}Ankle ; left_toes
        Chest ; Hips ; spine
        Chest2 ; Chest ; chest
        Neck ; Chest2 ; neck
        Head ; Neck ; head
        {S}Collar ; Chest2 ; left_shoulder
        {S}Shoulder ; {S}Collar ; left_upper_arm
        {S}Elbow ; {S}Shoulder ; left_lower_arm
        {S}Wrist ; {S}Elbow ; left_hand)"},
      {"biovision_arms", R"(
        Hips ; - ; hips
        {S}UpLeg ; Hips ; left_upper_leg
        {S}LowLeg ; {S}UpLeg ; left_lower_leg
        {S}Foot ; {S}LowLeg ; left_foot
        Chest ; Hips ; spine
        Neck ; Chest ; neck
        Head ; Neck ; head
        {S}Collar ; Chest ; left_shoulder
        {S}UpArm ; {S}Collar ; left_upper_arm
        {S}LowArm ; {S}UpArm ; left_lower_arm
        {S}Hand ; {S}LowArm ; left_hand)"},
      {"shoulder_without_collar", R"(
        pelvis ; - ; hips
        {s}_hip ; pelvis ; left_upper_leg
        {s}_knee ; {s}_hip ; left_lower_leg
        {s}_ankle ; {s}_knee ; left_foot
        torso ; pelvis ; spine
        neck ; torso ; neck
        head ; neck ; head
        {s}_shoulder ; torso ; left_upper_arm
        {s}_elbow ; {s}_shoulder ; left_lower_arm
        {s}_wrist ; {s}_elbow ; left_hand)"},
      {"smpl", R"(
        Pelvis ; - ; hips
        {C}_Hip ; Pelvis ; left_upper_leg
        {C}_Knee ; {C}_Hip ; left_lower_leg
        {C}_Ankle ; {C}_Knee ; left_foot
        {C}_Foot ; {C}_Ankle ; left_toes
        Spine1 ; Pelvis ; spine
        Spine2 ; Spine1 ; chest
        Spine3 ; Spine2 ; upper_chest
        Neck ; Spine3 ; neck
        Head ; Neck ; head
        {C}_Collar ; Spine3 ; left_shoulder
        {C}_Shoulder ; {C}_Collar ; left_upper_arm
        {C}_Elbow ; {C}_Shoulder ; left_lower_arm
        {C}_Wrist ; {C}_Elbow ; left_hand
        {C}_Hand ; {C}_Wrist ; left_middle_proximal ; -)"},
      {"xsens", R"(
        Pelvis ; - ; hips
        L5 ; Pelvis ; spine
        L3 ; L5 ; chest ; -
        T12 ; L3 ; mid_chest ; chest
        T8 ; T12 ; upper_chest
        Neck ; T8 ; neck
        Head ; Neck ; head
        {S}Shoulder ; T8 ; left_shoulder
        {S}UpperArm ; {S}Shoulder ; left_upper_arm
        {S}ForeArm ; {S}UpperArm ; left_lower_arm
        {S}Hand ; {S}ForeArm ; left_hand
        {S}UpperLeg ; Pelvis ; left_upper_leg
        {S}LowerLeg ; {S}UpperLeg ; left_lower_leg
        {S}Foot ; {S}LowerLeg ; left_foot
        {S}Toe ; {S}Foot ; left_toes)"},
      {"unreal", R"(
        root ; - ; root ; -
        pelvis ; root ; hips
        spine_01 ; pelvis ; spine
        spine_02 ; spine_01 ; chest
        spine_03 ; spine_02 ; upper_chest
        neck_01 ; spine_03 ; neck
        head ; neck_01 ; head
        clavicle_{c} ; spine_03 ; left_shoulder
        upperarm_{c} ; clavicle_{c} ; left_upper_arm
        upperarm_twist_01_{c} ; upperarm_{c} ; left_upper_arm_twist ; -
        lowerarm_{c} ; upperarm_{c} ; left_lower_arm
        lowerarm_twist_01_{c} ; lowerarm_{c} ; left_lower_arm_twist ; -
        hand_{c} ; lowerarm_{c} ; left_hand
        index_metacarpal_{c} ; hand_{c} ; left_palm ; -
        index_01_{c} ; index_metacarpal_{c} ; left_index_proximal
        index_02_{c} ; index_01_{c} ; left_index_intermediate
        thumb_01_{c} ; hand_{c} ; left_thumb_metacarpal
        thumb_02_{c} ; thumb_01_{c} ; left_thumb_proximal
        thigh_{c} ; pelvis ; left_upper_leg
        thigh_twist_01_{c} ; thigh_{c} ; left_thigh_twist ; -
        calf_{c} ; thigh_{c} ; left_lower_leg
        foot_{c} ; calf_{c} ; left_foot
        ball_{c} ; foot_{c} ; left_toes
        ik_foot_root ; root ; root ; -
        ik_foot_{c} ; ik_foot_root ; left_foot ; -)"},
      {"godot", R"(
        Root ; - ; root ; -
        Hips ; Root ; hips
        Spine ; Hips ; spine
        Chest ; Spine ; chest
        UpperChest ; Chest ; upper_chest
        Neck ; UpperChest ; neck
        Head ; Neck ; head
        {S}Shoulder ; UpperChest ; left_shoulder
        {S}UpperArm ; {S}Shoulder ; left_upper_arm
        {S}LowerArm ; {S}UpperArm ; left_lower_arm
        {S}Hand ; {S}LowerArm ; left_hand
        {S}MiddleProximal ; {S}Hand ; left_middle_proximal
        {S}UpperLeg ; Hips ; left_upper_leg
        {S}LowerLeg ; {S}UpperLeg ; left_lower_leg
        {S}Foot ; {S}LowerLeg ; left_foot
        {S}Toes ; {S}Foot ; left_toes)"},
      {"rigify", R"(
        DEF-spine ; - ; hips
        DEF-pelvis.{C} ; DEF-spine ; 0.05,1.02,0.05 ; -
        DEF-thigh.{C} ; DEF-spine ; left_upper_leg
        DEF-thigh.{C}.001 ; DEF-thigh.{C} ; left_thigh_twist ; -
        DEF-shin.{C} ; DEF-thigh.{C}.001 ; left_lower_leg
        DEF-shin.{C}.001 ; DEF-shin.{C} ; left_shin_twist ; -
        DEF-foot.{C} ; DEF-shin.{C}.001 ; left_foot
        DEF-toe.{C} ; DEF-foot.{C} ; left_toes
        DEF-spine.001 ; DEF-spine ; spine
        DEF-spine.002 ; DEF-spine.001 ; chest
        DEF-spine.003 ; DEF-spine.002 ; upper_chest
        DEF-spine.004 ; DEF-spine.003 ; neck
        DEF-spine.005 ; DEF-spine.004 ; mid_neck ; -
        DEF-spine.006 ; DEF-spine.005 ; head
        DEF-shoulder.{C} ; DEF-spine.003 ; left_shoulder
        DEF-upper_arm.{C} ; DEF-shoulder.{C} ; left_upper_arm
        DEF-upper_arm.{C}.001 ; DEF-upper_arm.{C} ; left_upper_arm_twist ; -
        DEF-forearm.{C} ; DEF-upper_arm.{C}.001 ; left_lower_arm
        DEF-forearm.{C}.001 ; DEF-forearm.{C} ; left_lower_arm_twist ; -
        DEF-hand.{C} ; DEF-forearm.{C}.001 ; left_hand
        DEF-palm.01.{C} ; DEF-hand.{C} ; left_palm ; -
        DEF-f_index.01.{C} ; DEF-palm.01.{C} ; left_index_proximal
        DEF-f_index.02.{C} ; DEF-f_index.01.{C} ; left_index_intermediate
        DEF-thumb.01.{C} ; DEF-hand.{C} ; left_thumb_metacarpal
        DEF-thumb.02.{C} ; DEF-thumb.01.{C} ; left_thumb_proximal)"},
      {"reallusion", R"(
        CC_Base_BoneRoot ; - ; root ; -
        CC_Base_Hip ; CC_Base_BoneRoot ; hips
        CC_Base_Pelvis ; CC_Base_Hip ; 0,0.98,0 ; -
        CC_Base_{C}_Thigh ; CC_Base_Pelvis ; left_upper_leg
        CC_Base_{C}_ThighTwist01 ; CC_Base_{C}_Thigh ; left_thigh_twist ; -
        CC_Base_{C}_Calf ; CC_Base_{C}_Thigh ; left_lower_leg
        CC_Base_{C}_Foot ; CC_Base_{C}_Calf ; left_foot
        CC_Base_{C}_ToeBase ; CC_Base_{C}_Foot ; left_toes
        CC_Base_Waist ; CC_Base_Hip ; spine
        CC_Base_Spine01 ; CC_Base_Waist ; chest
        CC_Base_Spine02 ; CC_Base_Spine01 ; upper_chest
        CC_Base_NeckTwist01 ; CC_Base_Spine02 ; neck
        CC_Base_NeckTwist02 ; CC_Base_NeckTwist01 ; mid_neck ; -
        CC_Base_Head ; CC_Base_NeckTwist02 ; head
        CC_Base_{C}_Clavicle ; CC_Base_Spine02 ; left_shoulder
        CC_Base_{C}_Upperarm ; CC_Base_{C}_Clavicle ; left_upper_arm
        CC_Base_{C}_Forearm ; CC_Base_{C}_Upperarm ; left_lower_arm
        CC_Base_{C}_Hand ; CC_Base_{C}_Forearm ; left_hand)"},
      {"cesium_man", R"(
        Skeleton_torso_joint_1 ; - ; 0,0.68,0 ; hips
        Skeleton_torso_joint_2 ; Skeleton_torso_joint_1 ; 0,0.82,0.01 ; spine
        torso_joint_3 ; Skeleton_torso_joint_2 ; 0,1.07,0 ; chest
        Skeleton_neck_joint_1 ; torso_joint_3 ; 0,1.14,0.01 ; neck
        Skeleton_neck_joint_2 ; Skeleton_neck_joint_1 ; 0,1.19,0.01 ; head
        Skeleton_arm_joint_{C}__4_ ; torso_joint_3 ; 0.1,1.07,0 ; left_upper_arm
        Skeleton_arm_joint_{C}__3_ ; Skeleton_arm_joint_{C}__4_ ; 0.31,0.96,-0.02 ; left_lower_arm
        Skeleton_arm_joint_{C}__2_ ; Skeleton_arm_joint_{C}__3_ ; 0.45,0.87,0.07 ; left_hand
        leg_joint_{C}_1 ; Skeleton_torso_joint_1 ; 0.07,0.61,0.02 ; left_upper_leg
        leg_joint_{C}_2 ; leg_joint_{C}_1 ; 0.08,0.35,0.07 ; left_lower_leg
        leg_joint_{C}_3 ; leg_joint_{C}_2 ; 0.08,0.09,0 ; left_foot
        leg_joint_{C}_5 ; leg_joint_{C}_3 ; 0.08,0.02,0.03 ; left_toes)"},
      {"fox", R"(
        _rootJoint ; - ; 0,0,0 ; -
        b_Root_00 ; _rootJoint ; 0,0,0 ; -
        b_Hip_01 ; b_Root_00 ; 0,42.9,-26.7 ; hips
        b_Spine01_02 ; b_Hip_01 ; 0,55,-22.2 ; spine
        b_Spine02_03 ; b_Spine01_02 ; 0,53.8,-0.6 ; chest
        b_Neck_04 ; b_Spine02_03 ; 0,53.2,25.1 ; neck
        b_Head_05 ; b_Neck_04 ; 0,60.7,36.2 ; head
        b_{S}UpperArm_06 ; b_Spine02_03 ; 7,49,18 ; left_upper_arm
        b_{S}ForeArm_07 ; b_{S}UpperArm_06 ; 7,26,17.2 ; left_lower_arm
        b_{S}Hand_08 ; b_{S}ForeArm_07 ; 7,6.7,17.8 ; left_hand
        b_Tail01_012 ; b_Hip_01 ; 0,52.6,-40.2 ; -
        b_Tail02_013 ; b_Tail01_012 ; 0,43.5,-48.6 ; -
        b_{S}Leg01_015 ; b_Hip_01 ; 7,49.3,-29.9 ; left_upper_leg
        b_{S}Leg02_016 ; b_{S}Leg01_015 ; 7,30.5,-27.4 ; left_lower_leg
        b_{S}Foot01_017 ; b_{S}Leg02_016 ; 7,15.9,-38 ; left_foot
        b_{S}Foot02_018 ; b_{S}Foot01_017 ; 7,1,-32.9 ; left_toes)",
       body::BodyKind::quadruped},
      {"rigify_wolf", R"(
        DEF-spine ; - ; 0,0.6,-0.4 ; hips
        DEF-tail.001 ; DEF-spine ; 0,0.6,-0.5 ; -
        DEF-thigh.{C} ; DEF-spine ; 0.07,0.58,-0.4 ; left_upper_leg
        DEF-shin.{C} ; DEF-thigh.{C} ; 0.07,0.4,-0.35 ; left_lower_leg
        DEF-foot.{C} ; DEF-shin.{C} ; 0.07,0.2,-0.45 ; left_foot
        DEF-toe.{C} ; DEF-foot.{C} ; 0.07,0.03,-0.42 ; left_toes
        DEF-spine.001 ; DEF-spine ; 0,0.6,-0.2 ; spine
        DEF-spine.002 ; DEF-spine.001 ; 0,0.6,0.1 ; chest
        DEF-neck ; DEF-spine.002 ; 0,0.65,0.3 ; neck
        DEF-head ; DEF-neck ; 0,0.75,0.4 ; head
        DEF-front_thigh.{C} ; DEF-spine.002 ; 0.07,0.45,0.2 ; left_upper_arm
        DEF-front_shin.{C} ; DEF-front_thigh.{C} ; 0.07,0.25,0.15 ; left_lower_arm
        DEF-front_foot.{C} ; DEF-front_shin.{C} ; 0.07,0.05,0.2 ; left_hand)",
       body::BodyKind::quadruped},
      {"dog_with_human_names", R"(
        Hips ; - ; 0,0.5,-0.3 ; hips
        Spine ; Hips ; 0,0.5,-0.1 ; spine
        Spine1 ; Spine ; 0,0.5,0.15 ; chest
        Neck ; Spine1 ; 0,0.55,0.3 ; neck
        Head ; Neck ; 0,0.65,0.4 ; head
        {S}Shoulder ; Spine1 ; 0.05,0.5,0.25 ; left_shoulder
        {S}Arm ; {S}Shoulder ; 0.06,0.42,0.25 ; left_upper_arm
        {S}ForeArm ; {S}Arm ; 0.06,0.27,0.2 ; left_lower_arm
        {S}Hand ; {S}ForeArm ; 0.06,0.08,0.22 ; left_hand
        {S}UpLeg ; Hips ; 0.06,0.47,-0.3 ; left_upper_leg
        {S}Leg ; {S}UpLeg ; 0.06,0.3,-0.25 ; left_lower_leg
        {S}Foot ; {S}Leg ; 0.06,0.1,-0.35 ; left_foot)",
       body::BodyKind::quadruped},
  };
}

}  // namespace shosa::test
