import { fileURLToPath } from 'node:url'

/** Noto Sans SC (OFL 1.1): the one typeface of reports and their charts, so that a report looks alike on every machine. */
export const REPORT_FONT = 'Noto Sans SC'
export const REPORT_FONT_FILES = ['400Regular/NotoSansSC_400Regular.ttf', '700Bold/NotoSansSC_700Bold.ttf'].map(
  (file) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans-sc/${file}`)),
)
