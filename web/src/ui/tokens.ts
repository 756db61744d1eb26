/** Every colour of the product. Screens use the variables these become (`--surface`, `--text-2`…), never a value. */

const dark = {
  app: '#0B0E14',
  panel: '#10141C',
  surface: '#161B26',
  raised: '#1E2533',
  overlay: '#181E2A',
  button: '#1E2533',
  column: '#10141C',
  field: '#10141C',
  line: '#222A38',
  'line-strong': '#364154',
  control: '#667389',
  'text-1': '#E8ECF4',
  'text-2': '#A9B3C5',
  'text-3': '#8692A8',
  'brand-text': '#8FA3FF',
  'brand-fill': '#4A63E0',
  'brand-fill-hover': '#5068E2',
  'on-brand': '#FFFFFF',
  success: '#45C98A',
  warning: '#F2B84B',
  danger: '#FF8087',
  'danger-fill': '#C8323F',
  'danger-fill-hover': '#D43D4A',
  info: '#4DB5FF',
  orange: '#FF9A5C',
  slate: '#9AA7BD',
  selected: '#20273A',
  veil: 'rgb(4 6 10 / 62%)',
  'plate-face': '#10141C',
  'plate-edge': '#A9B3C5',
  'plate-ink': '#F4F6FA',
  paper: '#FFFFFF',
  'paper-line': '#7E8A9E',
  'paper-ink': '#435066',
} as const

type Colour = keyof typeof dark

const light: Record<Colour, string> = {
  app: '#F4F6FA',
  panel: '#FFFFFF',
  surface: '#FFFFFF',
  raised: '#EEF1F6',
  overlay: '#FFFFFF',
  button: '#FFFFFF',
  column: '#ECEFF5',
  field: '#FFFFFF',
  line: '#E1E6EE',
  'line-strong': '#C5CEDB',
  control: '#7E8A9E',
  'text-1': '#121826',
  'text-2': '#435066',
  'text-3': '#5C687D',
  'brand-text': '#3550CC',
  'brand-fill': '#3F5BD9',
  'brand-fill-hover': '#344FC9',
  'on-brand': '#FFFFFF',
  success: '#0E7A4B',
  warning: '#8A5800',
  danger: '#C2283A',
  'danger-fill': '#C2283A',
  'danger-fill-hover': '#AE1F30',
  info: '#0A68B4',
  orange: '#B14A0C',
  slate: '#55627A',
  selected: '#E4E8F8',
  veil: 'rgb(18 24 38 / 38%)',
  'plate-face': '#FFFFFF',
  'plate-edge': '#435066',
  'plate-ink': '#121826',
  paper: '#FFFFFF',
  'paper-line': '#7E8A9E',
  'paper-ink': '#435066',
}

export const TONES = ['success', 'warning', 'danger', 'info', 'orange', 'slate'] as const
export type Tone = (typeof TONES)[number]

/** A tone behind its own text: strong enough to be seen, weak enough to read on. Opaque, so it reads alike anywhere. */
const tint = (colours: Record<Colour, string>, percent: number) =>
  Object.fromEntries(
    [...TONES, 'brand-text' as const].map((tone) => [
      `${tone}-tint`,
      `color-mix(in srgb, ${colours[tone]} ${percent}%, ${colours.surface})`,
    ]),
  )

export const schemes = {
  dark: { ...dark, ...tint(dark, 14), shadow: '0 12px 40px rgb(0 0 0 / 45%)' },
  light: { ...light, ...tint(light, 9), shadow: '0 12px 32px rgb(18 24 38 / 16%)' },
} as const

/** What Mantine paints by itself, in our steps: its `dark` scale runs from text to the deepest ground. */
export const scales = {
  dark: [
    dark['text-1'],
    dark['text-2'],
    dark['text-3'],
    dark['text-3'],
    dark['line-strong'],
    dark.raised,
    dark.surface,
    dark.panel,
    dark.app,
    dark.app,
  ],
  gray: [
    light.app,
    light.raised,
    light.line,
    light.line,
    light['line-strong'],
    light['text-3'],
    light['text-3'],
    light['text-2'],
    light['text-1'],
    light['text-1'],
  ],
  brand: [
    '#EEF1FF',
    '#DCE2FF',
    '#B9C5FF',
    '#A4B4FF',
    dark['brand-text'],
    '#6B83F2',
    dark['brand-fill'],
    light['brand-fill'],
    light['brand-text'],
    '#24389B',
  ],
} as const
