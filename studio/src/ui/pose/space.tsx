import { scriptOf } from '../../app/pose_control';
import { pinKind, type PinKind } from '../../model/pose_script';
import { handleTool } from './handles';
import { keyRow } from './keys';
import { PoseProperties } from './properties';
import { PoseList } from './list';
import type { SpaceUi, Studio } from '../studio';

const next: Record<string, PinKind | undefined> = { none: 'position', position: 'both', both: 'turn', turn: undefined };

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
    const { app, pose, ranges } = studio;
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
      cancel: () => {
        pose.cancel();
        ranges.cancel();
      },
      ...handleTool(studio),
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
      { id: 'pin', title: 'Pin the joint: place, place and turn, turn, none', keys: ['P'], group: 'Pose', enabled: selected, run: () => cyclePin(studio) },
      { id: 'key', title: 'Key the joint where it is', keys: ['I'], group: 'Pose', enabled: selected, run: () => pose.keyHere() },
      { id: 'unkey', title: 'Remove the joint’s key at this time', keys: ['Alt+I', 'Delete'], group: 'Pose', enabled: selected, run: () => pose.removeKeyHere() },
      { id: 'key-posture', title: 'Key the whole posture', keys: ['K'], group: 'Pose', enabled: () => scriptOf(app.state.value) !== undefined, run: () => pose.keyPosture() },
      { id: 'gizmo-move', title: 'Handles that lead the joint', keys: ['G'], group: 'Pose', run: () => app.setView({ gizmo: app.state.value.view.gizmo === 'move' ? 'none' : 'move' }) },
      { id: 'gizmo-turn', title: 'Handles that turn the joint', keys: ['R'], group: 'Pose', run: () => app.setView({ gizmo: app.state.value.view.gizmo === 'turn' ? 'none' : 'turn' }) },
      { id: 'ranges', title: 'Joint ranges drawn or not', keys: ['Shift+R'], group: 'Pose', run: () => app.setView({ ranges: !app.state.value.view.ranges }) },
      { id: 'balance', title: 'Balance drawn or not', keys: ['Shift+B'], group: 'Pose', run: () => app.setView({ balance: !app.state.value.view.balance }) },
      { id: 'free', title: 'Take the joint’s drag away', keys: ['Alt+G'], group: 'Pose', enabled: selected, run: () => pose.free() },
    ];
  },
};
