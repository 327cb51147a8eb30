import { fileURLToPath } from 'node:url'

/** Noto Sans SC (OFL 1.1): the typeface of reports and their charts, so that a report looks alike on every machine. */
export const REPORT_FONT = 'Noto Sans SC'
/** JetBrains Mono (OFL 1.1): the typeface of evidence, names of packages and hashes. */
export const CODE_FONT = 'JetBrains Mono'
export const REPORT_FONT_FILES = [
  'noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
  'noto-sans-sc/700Bold/NotoSansSC_700Bold.ttf',
  'jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf',
  'jetbrains-mono/700Bold/JetBrainsMono_700Bold.ttf',
].map((file) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/${file}`)))
