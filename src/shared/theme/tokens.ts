/** The tokens of tokens.css as Tailwind names: `bg-surface`, `text-muted`, `border-line`, `bg-level-high` … */
const names = `canvas surface raised line line-strong text muted faint brand brand-text brand-fill
  brand-fill-hover brand-on selected hover neutral ring bar bar-hover code tip tip-on scrim bad-soft warn-soft good-soft bad-fill bad-on
  level-critical level-high level-medium level-low level-info edge-critical edge-high edge-medium edge-low edge-info
  good warn bad good-text warn-text bad-text scale-1 scale-2 scale-3 scale-4 scale-5 wall-bar wall-sheet wall-plate`

export const tailwindTheme = {
  colors: Object.fromEntries(names.split(/\s+/).map((name) => [name, `var(--${name})`])),
  fontFamily: { sans: 'var(--font-sans)', mono: 'var(--font-mono)' },
  fontSize: { 12: '12px', 13: '13px', 14: '14px', 16: '16px', 20: '20px', 28: '28px', 40: '40px', body: 'var(--body)' },
  borderRadius: { DEFAULT: 'var(--radius)', small: 'var(--radius-small)' },
  boxShadow: { raised: 'var(--shadow)' },
  height: { control: 'var(--control)', row: 'var(--row)' },
  spacing: { pad: 'var(--pad)' },
}

/** The value of a token on an element's theme, for canvas drawing (echarts, maps). */
export function token(name: string, element: Element = document.documentElement): string {
  return getComputedStyle(element).getPropertyValue(`--${name}`).trim()
}
