import type { SpaceUi } from '../studio';
import { contactCommands } from '../time/contact_rows';
import { LibraryList } from './list';
import { LibraryProperties } from './properties';

export const librarySpace: SpaceUi = {
  id: 'library',
  title: 'Library',
  Left: LibraryList,
  Right: LibraryProperties,
  commands: contactCommands,
  tool: ({ app }) => ({
    press: () => false,
    drag: () => undefined,
    drop: () => undefined,
    cancel: () => undefined,
    click: (joint) => app.select(joint),
    menu: () => undefined,
  }),
};
