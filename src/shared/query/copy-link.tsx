import { Link } from 'lucide-react'
import { resolveRange } from '#domain/time-range.ts'
import { useTexts } from '../i18n/texts.ts'
import { usePlatform } from '../session/platform-store.ts'
import { Button } from '../ui/button.tsx'
import { copyToClipboard } from '../ui/copy-text.tsx'
import { toast } from '../ui/toast.ts'
import { queryTexts } from './query-texts.ts'
import type { QueryState } from './use-query-state.ts'

/** Copies the address of this view; with Shift its times are fixed. */
export function CopyLink({ state }: { state: QueryState }) {
  const t = useTexts(queryTexts)
  const zone = usePlatform((platform) => platform.zone)
  return (
    <Button
      variant="quiet"
      icon={Link}
      title={t('copyHint')}
      className="max-lg:hidden"
      onPress={async ({ shiftKey }) => {
        const span = shiftKey ? resolveRange(state.query.range, Date.now(), zone) : undefined
        if (await copyToClipboard(state.link(span))) toast.success(t(shiftKey ? 'copiedAbsolute' : 'copied'))
      }}
    >
      {t('copyLink')}
    </Button>
  )
}
