import { useTexts } from '#src/shared/i18n/texts.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { factName } from './fact-name.ts'
import { toolsTexts } from './tools-texts.ts'

const TONES: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = { verified: 'good', partial: 'warn', broken: 'bad' }
const NAMES: Readonly<Record<string, string>> = { v31: 'v3.1', jar: 'JAR' }

/** By which schemes a package is signed, and whether each holds. */
export function SchemeList({ schemes }: { schemes: readonly { scheme: string; state: string }[] }) {
  const t = useTexts(toolsTexts)
  if (schemes.length === 0) return null
  return (
    <ul aria-label={t('schemes')} className="flex flex-wrap gap-2 px-5 pb-3">
      {schemes.map(({ scheme, state }) => (
        <li key={scheme}>
          <Chip tone={TONES[state] ?? 'neutral'}>
            {`${NAMES[scheme] ?? factName(t, scheme)} ${factName(t, state)}`}
          </Chip>
        </li>
      ))}
    </ul>
  )
}
