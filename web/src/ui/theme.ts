import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import controls from './controls.module.css'
import { scales, schemes } from './tokens.ts'

const tuple = (scale: readonly string[]) => scale as MantineColorsTuple

/** The list itself scrolls: its field moves through it with the arrows. */
const choosing = { dropdown: controls.dropdown, options: controls.options, option: controls.option }

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 6 },
  colors: { dark: tuple(scales.dark), gray: tuple(scales.gray), brand: tuple(scales.brand) },
  white: schemes.light.surface,
  black: schemes.light['text-1'],
  fontFamily: "'Inter', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '18px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '4px', sm: '8px', md: '8px', lg: '10px', xl: '12px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: { fontWeight: '650' },
  /* Plain objects, not `Component.extend`: that would put every component named here into the first load. */
  components: {
    Button: {
      defaultProps: { size: 'sm' },
      classNames: { root: controls.button, section: controls.buttonIcon },
    },
    ActionIcon: { defaultProps: { variant: 'subtle', size: 36 }, classNames: { root: controls.icon } },
    CloseButton: { defaultProps: { 'aria-label': 'Cerrar' } },
    Input: { defaultProps: { size: 'sm' }, classNames: { input: controls.input } },
    InputWrapper: {
      // Fields that stand side by side stay on one line, whatever is said about one of them.
      defaultProps: { size: 'sm', inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      classNames: { label: controls.label, description: controls.description, error: controls.error },
    },
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Mostrar u ocultar la contraseña' } },
    },
    NumberInput: { defaultProps: { hideControls: true, withKeyboardEvents: false } },
    Select: {
      defaultProps: {
        checkIconPosition: 'right',
        withScrollArea: false,
        // Typing and Enter choose what stands first.
        selectFirstOptionOnChange: true,
        nothingFoundMessage: 'Sin resultados',
        comboboxProps: { shadow: 'none' },
        clearButtonProps: { 'aria-label': 'Borrar selección' },
      },
      classNames: choosing,
    },
    MultiSelect: {
      defaultProps: {
        checkIconPosition: 'right',
        withScrollArea: false,
        selectFirstOptionOnChange: true,
        nothingFoundMessage: 'Sin resultados',
        clearButtonProps: { 'aria-label': 'Borrar selección' },
      },
      classNames: choosing,
    },
    Autocomplete: { defaultProps: { withScrollArea: false }, classNames: choosing },
    TagsInput: { defaultProps: { withScrollArea: false }, classNames: choosing },
    // What can be chosen is drawn when it is looked at, not with each field.
    Combobox: { defaultProps: { keepMounted: false } },
    Pill: { classNames: { root: controls.pill } },
    Checkbox: { defaultProps: { radius: 'xs', size: 'xs' }, classNames: { input: controls.checkbox } },
    Switch: { classNames: { track: controls.track, thumb: controls.thumb } },
    Menu: {
      defaultProps: { shadow: 'none', withInitialFocusPlaceholder: false },
      classNames: { dropdown: controls.dropdown, item: controls.menuItem, label: controls.menuLabel },
    },
    Tooltip: { defaultProps: { openDelay: 350 }, classNames: { tooltip: controls.tooltip } },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 1, color: 'var(--veil)' },
        closeButtonProps: { 'aria-label': 'Cerrar' },
        attributes: { header: { role: 'presentation' } },
        transitionProps: { duration: 120 },
      },
      classNames: {
        content: controls.modal,
        header: controls.modalHeader,
        title: controls.modalTitle,
        body: controls.modalBody,
      },
    },
    Drawer: {
      defaultProps: {
        position: 'right',
        overlayProps: { backgroundOpacity: 1, color: 'var(--veil)' },
        closeButtonProps: { 'aria-label': 'Cerrar' },
        attributes: { header: { role: 'presentation' } },
        transitionProps: { duration: 180 },
      },
    },
    Pagination: { classNames: { control: controls.page } },
    Tabs: { classNames: { list: controls.tabs, tab: controls.tab } },
  },
})

const variables = (colours: Record<string, string>) =>
  Object.fromEntries(Object.entries(colours).map(([name, value]) => [`--${name}`, value]))

/** What Mantine draws by default, pointed at our tokens. */
const mantine = {
  '--mantine-color-body': 'var(--app)',
  '--mantine-color-text': 'var(--text-1)',
  '--mantine-color-bright': 'var(--text-1)',
  '--mantine-color-dimmed': 'var(--text-3)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-error': 'var(--danger)',
  '--mantine-color-anchor': 'var(--brand-text)',
  '--mantine-color-default': 'var(--button)',
  '--mantine-color-default-hover': 'var(--selected)',
  '--mantine-color-default-color': 'var(--text-1)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--raised)',
  '--mantine-color-disabled-color': 'var(--text-3)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-contrast': 'var(--on-brand)',
  '--mantine-color-brand-filled': 'var(--brand-fill)',
  '--mantine-color-brand-filled-hover': 'var(--brand-fill-hover)',
  '--mantine-color-brand-text': 'var(--brand-text)',
  '--mantine-color-brand-light': 'var(--brand-text-tint)',
  '--mantine-color-brand-light-hover': 'var(--selected)',
  '--mantine-color-brand-light-color': 'var(--brand-text)',
  '--mantine-color-brand-outline': 'var(--brand-text)',
  '--mantine-color-red-6': 'var(--danger)',
  '--mantine-color-red-filled': 'var(--danger-fill)',
  '--mantine-color-red-filled-hover': 'var(--danger-fill-hover)',
  '--mantine-color-red-text': 'var(--danger)',
  '--mantine-color-red-light': 'var(--danger-tint)',
  '--mantine-color-red-light-hover': 'var(--danger-tint)',
  '--mantine-color-red-light-color': 'var(--danger)',
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  dark: { ...variables(schemes.dark), ...mantine },
  light: { ...variables(schemes.light), ...mantine },
})
