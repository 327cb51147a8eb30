import { Download, FolderInput, Link, Trash2 } from 'lucide-react'
import { MOST_CHOSEN, type ReinforceChannel } from '#contracts/http/reinforce-channels.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { channelTexts } from './channel-texts.ts'

/** What can be done with the selected channels. `bytes`: of their packages; undefined where none can be made, `whyNot` says why. */
export function SelectionBar({
  channels,
  bytes,
  whyNot,
  onDownload,
  onCopy,
  onMove,
  onRemove,
  onSelectPage,
  onClear,
}: {
  channels: readonly ReinforceChannel[]
  bytes: number | undefined
  whyNot: string | undefined
  onDownload: () => void
  onCopy: () => void
  onMove: () => void
  onRemove: () => void
  onSelectPage: () => void
  onClear: () => void
}) {
  const t = useTexts(channelTexts)
  const whyNoDownload = whyNot ?? (channels.length > MOST_CHOSEN ? t('tooMany', { count: MOST_CHOSEN }) : undefined)
  return (
    <div className="flex flex-wrap items-center gap-2 border-t bg-selected px-5 py-1.5 max-lg:px-4">
      <span className="font-semibold">{t('selected', { count: channels.length })}</span>
      {bytes !== undefined && <span className="text-12 text-muted tabular-nums">{formatBytes(bytes)}</span>}
      <span className="ml-auto" />
      <Button
        size="small"
        icon={Download}
        isDisabled={whyNoDownload !== undefined}
        {...(whyNoDownload && { title: whyNoDownload })}
        onPress={onDownload}
      >
        {t('download')}
      </Button>
      <Button
        size="small"
        icon={Link}
        isDisabled={whyNot !== undefined}
        {...(whyNot && { title: whyNot })}
        onPress={onCopy}
      >
        {t('copyLink')}
      </Button>
      <Button size="small" icon={FolderInput} onPress={onMove}>
        {t('move')}
      </Button>
      <Button size="small" variant="danger" icon={Trash2} onPress={onRemove}>
        {t('remove')}
      </Button>
      <Button size="small" variant="quiet" onPress={onSelectPage}>
        {t('selectPage')}
      </Button>
      <Button size="small" variant="quiet" onPress={onClear}>
        {t('clear')}
      </Button>
    </div>
  )
}
