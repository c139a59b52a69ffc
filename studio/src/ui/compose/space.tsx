import type { SpaceUi } from '../studio';

function Left() {
  return <p class="empty">Clips laid one after the other come here.</p>;
}

function Right() {
  return <p class="empty">Nothing is open.</p>;
}

export const composeSpace: SpaceUi = { id: 'compose', title: 'Compose', Left, Right };
