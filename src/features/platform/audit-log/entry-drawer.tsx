import { ChevronDown, ChevronUp, Copy, Link as LinkIcon } from 'lucide-react'
import { actionName } from '#contracts/audit-actions.ts'
import { auditEntry } from '#contracts/http/audit-log.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { DataTableHandle } from '#src/shared/table/data-table.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { copyToClipboard } from '#src/shared/ui/copy-text.tsx'
import { Drawer } from '#src/shared/ui/drawer.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { EntryAround } from './entry-around.tsx'
import { EntryChain } from './entry-chain.tsx'
import { EntryChanges } from './entry-changes.tsx'
import { EntryFacts } from './entry-facts.tsx'
import { entryTexts } from './entry-texts.ts'
import { logTexts } from './log-texts.ts'

/** One entry beside the list. The arrows follow the list (`rows`) while it shows the entry, else the chain. */
export function EntryDrawer({
  id,
  rows,
  onOpen,
  onClose,
}: {
  id: number
  rows?: DataTableHandle | null
  onOpen: (id: number) => void
  onClose: () => void
}) {
  const t = useTexts(entryTexts)
  const l = useTexts(logTexts)
  const language = useLanguage()
  const answer = useEndpoint(auditEntry, { query: { id } })
  const entry = answer.data?.data
  const copy = async (text: string) => (await copyToClipboard(text)) && void toast.success(t('copied'))
  const step = (label: string, icon: typeof ChevronUp, by: 1 | -1, neighbour: number | undefined) => (
    <IconButton
      label={label}
      icon={icon}
      isDisabled={!rows && neighbour === undefined}
      onPress={() => (rows ? rows.move(by) : neighbour !== undefined && onOpen(neighbour))}
    />
  )
  return (
    <Drawer
      isOpen
      onClose={onClose}
      width="456px"
      title={
        <span className="flex items-center gap-2">
          <span className="text-clip-line">{entry ? actionName(entry.action)[language] : t('entry', { id })}</span>
          {entry && (
            <Chip tone={entry.result === 'ok' ? 'good' : 'bad'}>{l(entry.result === 'ok' ? 'ok' : 'refused')}</Chip>
          )}
        </span>
      }
      actions={
        <>
          {step(t('newer'), ChevronUp, -1, entry?.next?.id)}
          {step(t('older'), ChevronDown, 1, entry?.previous?.id)}
        </>
      }
      footer={
        entry && (
          <>
            <Button variant="quiet" icon={Copy} onPress={() => void copy(JSON.stringify(entry, null, 2))}>
              {t('copyJson')}
            </Button>
            <Button
              variant="quiet"
              icon={LinkIcon}
              onPress={() => void copy(`${location.origin}${PAGES.audit_log.path}?entry=${id}`)}
            >
              {t('copyLink')}
            </Button>
          </>
        )
      }
    >
      {entry ? (
        <>
          <EntryFacts entry={entry} />
          <EntryChanges changes={entry.changes} />
          <EntryChain entry={entry} onOpen={onOpen} />
          <EntryAround around={entry.around} onOpen={onOpen} />
        </>
      ) : answer.error ? (
        answer.error.key === 'data.missing' ? (
          <EmptyState kind="missing" title={t('notFound')} />
        ) : (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        )
      ) : (
        <Skeleton lines={10} height="20px" className="p-5" />
      )}
    </Drawer>
  )
}
