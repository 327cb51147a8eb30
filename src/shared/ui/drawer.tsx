import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { defineTexts, useTexts } from '../i18n/texts.ts'
import { IconButton } from './icon-button.tsx'
import { useEscapeLayer } from './use-escape-layer.ts'

const texts = defineTexts('ui-drawer', { close: { zh: '关闭', en: 'Close' } })

/**
 * A sheet beside the page, from the header down, without scrim: table and chart stay usable, focus stays where it is, so that j and k
 * go on moving through rows. Esc closes the top layer only. Head 48, foot 48; below 640 px it fills the width.
 */
export function Drawer({
  isOpen,
  onClose,
  title,
  children,
  side = 'right',
  width = 'max(420px, calc((100vw - 208px) / 3))',
  actions,
  footer,
  takeFocus = false,
}: {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  side?: 'left' | 'right'
  /** Any CSS width. */
  width?: string
  /** At the right of the head. */
  actions?: ReactNode
  footer?: ReactNode
  /** True where the drawer is the next place to work in (a list to pick from); focus returns on close. */
  takeFocus?: boolean
}) {
  const t = useTexts(texts)
  const heading = useId()
  const sheet = useRef<HTMLElement>(null)
  useEscapeLayer(isOpen, onClose)
  useEffect(() => {
    if (!isOpen || !takeFocus) return
    const before = document.activeElement
    sheet.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [isOpen, takeFocus])
  if (!isOpen) return null
  return createPortal(
    <aside
      ref={sheet}
      role="dialog"
      aria-labelledby={heading}
      tabIndex={-1}
      style={{ width, ...(side === 'left' && { ['--from' as string]: '-16px' }) }}
      className={`slide fixed top-14 bottom-0 z-30 flex max-w-full flex-col bg-surface shadow-raised max-sm:w-full! ${side === 'right' ? 'right-0 border-l' : 'left-0 border-r'} border-line-strong`}
    >
      <header className="flex h-12 flex-none items-center gap-1 border-b pr-2 pl-5">
        <h2 id={heading} className="text-clip-line min-w-0 flex-1 text-14 font-semibold">
          {title}
        </h2>
        {actions}
        <IconButton label={t('close')} icon={X} hint="Esc" onPress={onClose} />
      </header>
      <div className="min-h-0 flex-1 overflow-auto">{children}</div>
      {footer && <footer className="flex min-h-12 flex-none items-center gap-2 border-t px-5 py-2">{footer}</footer>}
    </aside>,
    document.body,
  )
}
