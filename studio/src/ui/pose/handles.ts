import { Quaternion, type Ray, Vector3 } from 'three';
import { swingTo, twistBounds } from '../../model/ranges';
import { jointPlace, jointTurn } from '../../model/track';
import type { Axis } from '../../view/gizmo';
import type { JointTool } from '../../view/pointer';
import type { Studio } from '../studio';

const normals: Record<Axis, Vector3> = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };

/** What was so when a handle was taken hold of. */
let begun: { at: Vector3; turn: Quaternion; offset: number } | undefined;

/** Handles of the selected joint: arrows lead it, rings turn it, dots change its range. */
export function handleTool(studio: Studio): Pick<JointTool, 'grab' | 'pull' | 'letGo'> {
  const { app, pose, ranges } = studio;
  const marks = () => studio.stage!.poseMarks;
  return {
    grab(handle, ray) {
      const { joint, project } = app.state.value, matrices = pose.matrices(), [kind, what] = handle.split(' ') as [string, string];
      if (joint === undefined || !matrices || project?.readOnly) return false;
      const at = new Vector3(...jointPlace(matrices, joint));
      begun = { at, turn: new Quaternion(...jointTurn(matrices, joint)), offset: 0 };
      if (kind === 'move') begun.offset = marks().gizmo.along(what as Axis, ray, at);
      if (kind === 'turn') begun.offset = marks().gizmo.about(what as Axis, ray, at);
      if (kind === 'move' || kind === 'turn') void app.attempt('The body cannot be dragged', () => pose.begin(joint, kind === 'turn'));
      return true;
    },
    pull(handle: string, ray: Ray) {
      const { joint } = app.state.value, [kind, what] = handle.split(' ') as [string, string];
      if (joint === undefined || !begun) return;
      const { at, turn, offset } = begun, { gizmo, ranges: shown } = marks();
      if (kind === 'move') pose.move(at.clone().addScaledVector(normals[what as Axis], gizmo.along(what as Axis, ray, at) - offset).toArray());
      if (kind === 'turn') pose.turn(new Quaternion().setFromAxisAngle(normals[what as Axis], gizmo.about(what as Axis, ray, at) - offset).multiply(turn).toArray());
      if (kind === 'corner') ranges.corner(joint, Number(what), ...swingTo(shown.directionUnder(ray, handle)));
      if (kind === 'twist') {
        const region = ranges.regionOf(joint), swing = region && ranges.swingOf(region), bounds = swing && (twistBounds(region, swing.a_y, swing.a_z) ?? [region.corners[0]![2], region.corners[0]![3]]);
        if (bounds) ranges.twist(joint, what as 'min' | 'max', shown.twistUnder(ray) - bounds[what === 'min' ? 0 : 1]!);
      }
    },
    letGo(handle) {
      const { joint } = app.state.value;
      if (/^(move|turn) /.test(handle)) void app.attempt('The drag is lost', () => pose.end());
      else if (joint !== undefined) ranges.end(joint);
    },
  };
}
