import { defineTexts, useTexts } from '#src/shared/i18n/texts.ts'
import { clearErrorLog, useErrorLog } from '#src/shared/session/error-log.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { copyToClipboard } from '#src/shared/ui/copy-text.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'

const texts = defineTexts('error-log', {
  title: { zh: '错误日志', en: 'Error log' },
  note: {
    zh: '本浏览器中未捕获的界面错误，只保存在本机。',
    en: 'Uncaught interface errors of this browser, kept here only.',
  },
  none: { zh: '没有错误', en: 'No errors' },
  noneHint: { zh: '界面出错时会记在这里。', en: 'Errors of the interface are written down here.' },
  clear: { zh: '清空', en: 'Clear' },
  copy: { zh: '复制全部', en: 'Copy all' },
  times: { zh: '{{count}} 次', en: '{{count}} times', one: '{{count}} time' },
})

export function ErrorLogDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts)
  const entries = useErrorLog((state) => state.entries)
  return (
    <Dialog
      title={t('title')}
      isOpen
      onOpenChange={onClose}
      width={760}
      footer={
        entries.length > 0 && (
          <>
            <Button variant="quiet" onPress={() => void copyToClipboard(JSON.stringify(entries, null, 2))}>
              {t('copy')}
            </Button>
            <Button onPress={clearErrorLog}>{t('clear')}</Button>
          </>
        )
      }
    >
      <p className="mb-2 text-12 text-muted">{t('note')}</p>
      {entries.length === 0 ? (
        <EmptyState kind="none" title={t('none')} hint={t('noneHint')} />
      ) : (
        <ul>
          {entries.map((one) => (
            <li key={`${one.at}-${one.message}`} className="border-t py-2 first:border-t-0">
              <details>
                <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3">
                  <span className="min-w-0 flex-1 break-words">{one.message}</span>
                  <span className="flex-none text-12 text-muted">
                    {one.count > 1 && `${t('times', { count: one.count })} · `}
                    <RelativeTime at={one.at} />
                  </span>
                </summary>
                <code className="text-12 text-muted">{one.path}</code>
                {one.stack && (
                  <pre className="mt-1 max-h-48 overflow-auto rounded border bg-code px-3 py-2 text-12/[18px]">
                    {one.stack}
                  </pre>
                )}
              </details>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
