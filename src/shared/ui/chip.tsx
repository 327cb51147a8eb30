import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { defineTexts, useTexts } from '../i18n/texts.ts'

const texts = defineTexts('ui-chip', { remove: { zh: '去掉', en: 'Remove' } })
const TONES = {
  brand: 'bg-selected text-brand-text',
  neutral: 'bg-neutral text-muted',
  good: 'bg-good-soft text-good-text',
  warn: 'bg-warn-soft text-warn-text',
  bad: 'bg-bad-soft text-bad-text',
} as const

/** A filter that is on (with `onRemove`), or a small state word. */
export function Chip({
  children,
  onRemove,
  tone = 'brand',
  label,
}: {
  children: ReactNode
  onRemove?: () => void
  tone?: keyof typeof TONES
  /** What is removed, for readers, where `children` is no plain text. */
  label?: string
}) {
  const t = useTexts(texts)
  const name = label ?? (typeof children === 'string' ? children : '')
  return (
    <span
      className={`inline-flex flex-none items-center rounded-small text-12 whitespace-nowrap ${TONES[tone]} ${onRemove ? 'h-6 gap-1 pr-1 pl-2' : 'h-[18px] px-1.5'}`}
    >
      {children}
      {onRemove && (
        <button
          type="button"
          aria-label={`${t('remove')} ${name}`}
          onClick={onRemove}
          className="relative flex size-4 items-center justify-center rounded-[3px] after:absolute after:-inset-1 hover:bg-bar-hover"
        >
          <X size={12} strokeWidth={2} aria-hidden />
        </button>
      )}
    </span>
  )
}
