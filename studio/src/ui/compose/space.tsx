import { scoreOf } from '../../app/compose_control';
import { removeLayer, removeMotion } from '../../model/score';
import type { SpaceUi } from '../studio';
import { ComposeList } from './list';
import { ComposeProperties } from './properties';
import { composeReach, composeRows } from './tracks';

export const composeSpace: SpaceUi = {
  id: 'compose',
  title: 'Compose',
  Left: ComposeList,
  Right: ComposeProperties,
  rows: composeRows,
  ownCores: true,
  emptyTime: 'Drag clips from the list to here: each joins the one before.',
  reach_s: composeReach,
  tool: ({ app }) => ({ press: () => false, drag: () => undefined, drop: () => undefined, cancel: () => undefined, click: (joint) => app.select(joint), menu: () => undefined }),
  commands: ({ app, compose }) => {
    const selected = () => app.state.value.compose.selected !== undefined && scoreOf(app.state.value) !== undefined;
    return [
      { id: 'new-score', title: 'New score', group: 'Compose', run: () => compose.create() },
      { id: 'remove-selected', title: 'Remove the selected clip or layer', keys: ['Delete', 'X'], group: 'Compose', enabled: selected, run: () => {
        const { kind, index } = app.state.value.compose.selected!;
        compose.edit(`Remove ${kind}`, (score) => (kind === 'motion' ? removeMotion(score, index) : removeLayer(score, index)));
      } },
      { id: 'compare', title: 'Compare with nearest postures, or with nothing', keys: ['Shift+B'], group: 'Compose', run: () => compose.look({ against: app.state.value.compose.against === undefined ? 'pose' : undefined }) },
    ];
  },
};
