import type { Config } from 'tailwindcss'
import rac from 'tailwindcss-react-aria-components'
import { tailwindTheme } from './src/shared/theme/tokens.ts'

/** Tailwind reads the design tokens; the values themselves are CSS variables that a theme switches (src/shared/theme). */
export default {
  content: ['./index.html', './src/**/*.{ts,tsx}'],
  theme: { extend: tailwindTheme },
  plugins: [rac],
} satisfies Config
