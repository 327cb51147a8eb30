import { CircleCheck, CircleDashed, CirclePause, CircleX, FileCode, LoaderCircle, TriangleAlert } from 'lucide-react'
import { SCRIPT_STATES, type Script } from '#contracts/http/js-protection.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { jsTexts } from './js-texts.ts'

const LOOK: Record<Script['state'], { icon: IconType; color: string }> = {
  uploaded: { icon: FileCode, color: 'text-muted' },
  waiting: { icon: CircleDashed, color: 'text-muted' },
  encrypting: { icon: LoaderCircle, color: 'text-brand-text spin' },
  encrypted: { icon: CircleCheck, color: 'text-good-text' },
  failed: { icon: CircleX, color: 'text-bad-text' },
  stopped: { icon: CirclePause, color: 'text-muted' },
}

export const isWorking = ({ state }: Pick<Script, 'state'>) => state === 'waiting' || state === 'encrypting'

/** The state of a script: while it is encrypted how far it is, when it is done how many files have less than was asked for. */
export function ScriptState({ script }: { script: Script }) {
  const t = useTexts(jsTexts)
  const language = useLanguage()
  const { state, progress, stepped, kept, note } = script
  const isOdd = state === 'encrypted' && stepped + kept > 0
  const { icon, color } = isOdd ? { icon: TriangleAlert, color: 'text-warn-text' } : LOOK[state]
  const odd =
    stepped > 0 && kept > 0
      ? t('odd', { stepped, kept })
      : stepped > 0
        ? t('oddStepped', { count: stepped })
        : t('oddKept', { count: kept })
  const text = isOdd ? odd : SCRIPT_STATES[state][language]
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={note || text}>
      <Icon of={icon} size={14} className={`flex-none ${color}`} />
      <span className={`text-clip-line ${state === 'failed' ? 'text-bad-text' : ''}`}>
        {text}
        {state === 'encrypting' && ` ${Math.round(progress * 100)}%`}
      </span>
    </span>
  )
}
