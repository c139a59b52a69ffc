/** Colours of the stage; those of the panels are in ui/style.css. */
export interface StageTheme {
  background: number;
  ground: number;
  line: number;
  strongLine: number;
  body: number;
  ghost: number;
  second: number;
  /** A foot that stands. */
  contact: number;
  joint: number;
  selected: number;
  pin: number;
  trail: number;
  /** A joint's range, and what has left its own. */
  range: number;
  bad: number;
  shadow: number;
}

export const themes: Record<'dark' | 'light', StageTheme> = {
  dark: { background: 0x1b1f26, ground: 0x222730, line: 0x313844, strongLine: 0x455062, body: 0x8fb2dc, ghost: 0x8a93a1, second: 0xd9a86c, contact: 0x5fd08a, joint: 0xd7dee8, selected: 0xffb347, pin: 0xff6b5e, trail: 0xffb347, range: 0x6cb6ff, bad: 0xff5a4d, shadow: 0.5 },
  light: { background: 0xe9edf2, ground: 0xdfe4ea, line: 0xc8d0d9, strongLine: 0xa9b4c0, body: 0x5d86ba, ghost: 0x8b95a3, second: 0xc07f31, contact: 0x2f9e5b, joint: 0x2b3440, selected: 0xd97706, pin: 0xcf3528, trail: 0xb45f06, range: 0x1f6fd0, bad: 0xd0241b, shadow: 0.28 },
};
