import { scriptOf } from '../../app/pose_control';
import { pinKind, type PinKind } from '../../model/pose_script';
import { keyRow } from './keys';
import { PoseProperties } from './properties';
import { PoseList } from './list';
import type { SpaceUi, Studio } from '../studio';

const next: Record<string, PinKind | undefined> = { none: 'position', position: 'both', both: undefined };

function cyclePin({ pose, app }: Studio, joint = app.state.value.joint): void {
  if (joint !== undefined) pose.pin(joint, next[pinKind(pose.pinOf(joint)) ?? 'none']);
}

export const poseSpace: SpaceUi = {
  id: 'pose',
  title: 'Pose',
  Left: PoseList,
  Right: PoseProperties,
  rows: keyRow,
  tool: (studio) => {
    const { app, pose } = studio;
    if (!scriptOf(app.state.value)) return undefined;
    return {
      press: (joint) => {
        app.select(joint);
        if (app.state.value.project?.readOnly) return false;
        void app.attempt('The body cannot be dragged', () => pose.begin(joint));
        return true;
      },
      drag: (_, place) => pose.move(place),
      drop: () => void app.attempt('The drag is lost', () => pose.end()),
      cancel: () => pose.cancel(),
      click: (joint) => app.select(joint),
      menu: (joint) => {
        app.select(joint);
        pose.pin(joint, pose.pinOf(joint) ? undefined : 'position');
      },
    };
  },
  commands: (studio) => {
    const { app, pose } = studio;
    const selected = () => app.state.value.joint !== undefined && scriptOf(app.state.value) !== undefined;
    return [
      { id: 'pin', title: 'Pin the joint: place, place and turn, none', keys: ['P'], group: 'Pose', enabled: selected, run: () => cyclePin(studio) },
      { id: 'key', title: 'Key the joint where it is', keys: ['I'], group: 'Pose', enabled: selected, run: () => pose.keyHere() },
      { id: 'unkey', title: 'Remove the joint’s key at this time', keys: ['Alt+I', 'Delete'], group: 'Pose', enabled: selected, run: () => pose.removeKeyHere() },
      { id: 'free', title: 'Take the joint’s drag away', keys: ['Alt+G'], group: 'Pose', enabled: selected, run: () => pose.free() },
    ];
  },
};
