import { CircleAlert, Copy, RotateCw } from 'lucide-react'
import { defineTexts, useTexts } from '../i18n/texts.ts'
import { Button } from './button.tsx'
import { copyToClipboard } from './copy-text.tsx'
import { EmptyState } from './empty-state.tsx'

const texts = defineTexts('ui-error', {
  title: { zh: '没有读到数据', en: 'The data could not be read' },
  retry: { zh: '重试', en: 'Retry' },
  copy: { zh: '复制诊断', en: 'Copy diagnostics' },
})

/** What went wrong in one part of a page: cause, code, retry, diagnostics to hand on. Other parts go on working. */
export function ErrorState({ error, onRetry, title }: { error: unknown; onRetry?: () => void; title?: string }) {
  const t = useTexts(texts)
  const code = errorCode(error)
  return (
    <div role="alert" className="flex flex-1 flex-col">
      <EmptyState
        kind="missing"
        icon={CircleAlert}
        title={title ?? t('title')}
        hint={errorMessage(error)}
        code={code}
        action={
          <>
            {onRetry && (
              <Button icon={RotateCw} onPress={onRetry}>
                {t('retry')}
              </Button>
            )}
            <Button variant="quiet" icon={Copy} onPress={() => void copyToClipboard(diagnostics(error))}>
              {t('copy')}
            </Button>
          </>
        }
      />
    </div>
  )
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function errorCode(error: unknown): string | undefined {
  const code = error && typeof error === 'object' && 'code' in error ? error.code : undefined
  return typeof code === 'number' || typeof code === 'string' ? String(code) : undefined
}

function diagnostics(error: unknown): string {
  const lines = [new Date().toISOString(), location.pathname, errorCode(error), errorMessage(error)]
  return lines.filter(Boolean).join('\n')
}
