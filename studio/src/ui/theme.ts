import { themes } from '../view/theme';
import type { Studio } from './studio';

const kept = 'shosa-theme';

export type ThemeName = 'dark' | 'light';

/** What was chosen before, or else what the system has. */
export function themeName(): ThemeName {
  const chosen = localStorage.getItem(kept);
  return chosen === 'dark' || chosen === 'light' ? chosen : matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}

export function applyTheme(studio: Studio): void {
  document.documentElement.dataset['theme'] = themeName();
  studio.stage?.setTheme(themes[themeName()]);
}

export function toggleTheme(studio: Studio): void {
  localStorage.setItem(kept, themeName() === 'dark' ? 'light' : 'dark');
  applyTheme(studio);
}
