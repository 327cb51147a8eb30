import { useState } from 'react'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { type OwnContent, ownArticle, restoreOwnArticle } from '#contracts/http/own-articles.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { contentLines } from './content-lines.ts'
import { lineDifference } from './line-difference.ts'
import { ownArticlesTexts } from './own-articles-texts.ts'

type Opened = ResponseOf<typeof ownArticle>
const EDITED = 'edited'

/** Two versions of an article, or a version and what is being edited, line by line; an older one is taken again as the newest. */
export function VersionsDialog({
  opened,
  edited,
  onClose,
  onRestored,
}: {
  opened: Opened
  /** What is being edited, where it differs from the newest version. */
  edited: OwnContent | null
  onClose: () => void
  onRestored: () => void
}) {
  const t = useTexts(ownArticlesTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const { id, version, published } = opened.data
  const [from, setFrom] = useState(String(edited ? version : (opened.versions[1]?.number ?? version)))
  const [to, setTo] = useState(edited ? EDITED : String(version))
  const [before, after] = [useContent(opened, from, edited), useContent(opened, to, edited)]
  const restore = useAction(restoreOwnArticle, {
    refreshes: [ownArticle],
    onSuccess(saved) {
      toast.success(t('restored', { version: saved.version }))
      onRestored()
    },
  })
  const items = [
    ...(edited ? [{ id: EDITED, label: t('editing') }] : []),
    ...opened.versions.map(({ number, at, author, restored }) => ({
      id: String(number),
      label: [
        t('versionLine', { number }),
        ...(number === published ? [t('versionPublished')] : []),
        ...(restored === null ? [] : [t('versionRestored', { from: restored })]),
        ...[formatDateTime(at, zone), author],
      ].join(' · '),
    })),
  ]
  const older = Number(from)
  return (
    <Dialog
      title={t('versionsTitle')}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      width={980}
      footer={
        <>
          <Button onPress={onClose}>{t('close')}</Button>
          {from !== EDITED && older !== version && (
            <Button
              variant="primary"
              isDisabled={edited !== null || restore.isPending}
              {...(edited !== null && { title: t('restoreFirst') })}
              onPress={() => restore.mutate({ body: { id, version: older, based_on: version } })}
            >
              {t('restore', { version: older })}
            </Button>
          )}
        </>
      }
    >
      <div className="mb-3 grid grid-cols-1 gap-3 sm:grid-cols-2">
        <Select label={t('from')} items={items} value={from} onChange={setFrom} />
        <Select label={t('to')} items={items} value={to} onChange={setTo} />
      </div>
      {(before.error ?? after.error) ? (
        <ErrorState
          error={before.error ?? after.error}
          onRetry={() => void Promise.all([before.retry(), after.retry()])}
        />
      ) : before.content && after.content ? (
        <Difference
          before={contentLines(before.content, labels(t), language)}
          after={contentLines(after.content, labels(t), language)}
        />
      ) : (
        <Skeleton lines={8} />
      )}
    </Dialog>
  )
}

function labels(t: (key: Parameters<typeof contentLines>[1] extends Record<infer K, string> ? K : never) => string) {
  const names = [
    'kind',
    'topic',
    'platforms',
    'items',
    'pages',
    'articleTitle',
    'summary',
    'words',
    'zh',
    'en',
  ] as const
  return Object.fromEntries(names.map((name) => [name, t(name)])) as Parameters<typeof contentLines>[1]
}

/** The content of a version, asked for where it is not there yet. */
function useContent(opened: Opened, of: string, edited: OwnContent | null) {
  const isHere = of === EDITED || Number(of) === opened.shown
  const answer = useEndpoint(
    ownArticle,
    { query: { id: opened.data.id, version: Number(of) } },
    { enabled: !isHere, staleTime: Number.POSITIVE_INFINITY },
  )
  return {
    content: of === EDITED ? edited : isHere ? opened.content : answer.data?.content,
    error: isHere ? null : answer.error,
    retry: () => answer.refetch(),
  }
}

const LOOK = {
  same: { sign: ' ', look: '' },
  added: { sign: '+', look: 'bg-good-soft' },
  removed: { sign: '−', look: 'bg-bad-soft' },
} as const

function Difference({ before, after }: { before: readonly string[]; after: readonly string[] }) {
  const t = useTexts(ownArticlesTexts)
  const lines = lineDifference(before, after)
  if (lines.every(({ kind }) => kind === 'equal')) return <p className="py-6 text-center text-muted">{t('same')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard
    <div tabIndex={0} className="max-h-[56vh] overflow-auto rounded border font-mono text-12/5">
      {lines.map((line, at) =>
        line.kind === 'equal' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a difference never change their order
          <p key={at} className="bg-canvas px-3 py-0.5 font-sans text-muted">
            {t('unchanged', { count: line.count })}
          </p>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a difference never change their order
          <p key={at} className={`flex gap-2 px-3 ${LOOK[line.kind].look}`}>
            <span aria-hidden className="flex-none whitespace-pre select-none">
              {LOOK[line.kind].sign}
            </span>
            {line.kind !== 'same' && <span className="sr-only">{t(line.kind)}</span>}
            <span className="min-w-0 flex-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{line.text}</span>
          </p>
        ),
      )}
    </div>
  )
}
