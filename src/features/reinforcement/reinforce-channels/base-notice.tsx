import { Info, TriangleAlert } from 'lucide-react'
import type { ChannelBase, ChannelsVerified } from '#contracts/http/reinforce-channels.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { channelTexts } from './channel-texts.ts'

/** What the chosen package means for the channels, and what the last verification found. */
export function BaseNotice({ base, result }: { base: ChannelBase | undefined; result: ChannelsVerified | undefined }) {
  const t = useTexts(channelTexts)
  const language = useLanguage()
  const isWarning = base?.place !== 'block'
  const text = !base
    ? t('noBase')
    : base.place === null
      ? t('refused', { reason: base.reason })
      : base.place === 'meta'
        ? t('infoMeta')
        : t('info')
  const duration = (ms: number) =>
    ms < 1000 ? `${Math.max(0.01, ms / 1000).toFixed(2)} s` : formatDuration(ms, language)
  return (
    <div
      role="status"
      className={`flex items-start gap-2 border-t px-5 py-2 max-lg:px-4 ${isWarning ? 'bg-warn-soft text-warn-text' : 'bg-selected'}`}
    >
      <Icon of={isWarning ? TriangleAlert : Info} size={14} className="mt-0.5 flex-none" />
      <span data-testid="channel-notice">
        {result
          ? `${t('verified', {
              count: result.channels,
              tails: duration(result.tail_ms),
              whole: result.whole,
              total: duration(result.all_ms),
            })} `
          : ''}
        {text}
      </span>
    </div>
  )
}
