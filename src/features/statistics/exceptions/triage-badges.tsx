import { RotateCcw, Sparkles } from 'lucide-react'
import type { TriageState } from '#contracts/http/exceptions.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { exceptionTexts } from './exception-texts.ts'

/** State, and whether the group is new in the range or came back: each with a word, in full on hover. */
export function TriageBadges({ triage, isNew = false }: { triage: TriageState; isNew?: boolean }) {
  const t = useTexts(exceptionTexts)
  const zone = usePlatform((platform) => platform.zone)
  const { state, regressed, resolved_version, ignored_until } = triage
  const title =
    state === 'resolved' && resolved_version
      ? t('resolvedIn', { version: resolved_version })
      : state === 'ignored' && ignored_until
        ? t('ignoredUntil', { time: formatDateTime(ignored_until, zone, 'minute') })
        : undefined
  return (
    <span className="inline-flex items-center gap-1">
      {state !== 'open' && (
        <span title={title}>
          <Chip tone={state === 'resolved' ? 'good' : 'neutral'}>{t(state)}</Chip>
        </span>
      )}
      {regressed && (
        <span
          title={t('regressedIn', { resolved: resolved_version ?? '–', version: regressed.version })}
          className="inline-flex h-[18px] items-center gap-1 rounded-small bg-tip px-1.5 text-12 text-tip-on"
        >
          <Icon of={RotateCcw} size={12} />
          {t('regressed')}
        </span>
      )}
      {isNew && (
        <span
          title={t('newNote')}
          className="inline-flex h-[18px] items-center gap-1 rounded-small bg-selected px-1.5 text-12 text-brand-text"
        >
          <Icon of={Sparkles} size={12} />
          {t('new')}
        </span>
      )}
    </span>
  )
}
