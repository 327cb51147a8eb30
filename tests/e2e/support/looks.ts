import type { Look } from './console.ts'

const HALF = (Number.parseInt(process.env['TEST_SEED'] ?? '', 16) || 0) % 2

type LanguageAndTheme = Required<Pick<Look, 'language' | 'theme'>>

/**
 * Languages and themes that pages are judged in: both of each, in two combinations of the four that TEST_SEED chooses. `npm run test:looks` judges
 * all four. Contrast depends on the theme and words on the language; hardly anything depends on both.
 */
export const LOOKS: readonly LanguageAndTheme[] = (
  [
    { language: 'zh', theme: 'light' },
    { language: 'en', theme: 'dark' },
    { language: 'zh', theme: 'dark' },
    { language: 'en', theme: 'light' },
  ] as const
).filter((_, at) => process.env['E2E_LOOKS'] === 'all' || at >> 1 === HALF)
