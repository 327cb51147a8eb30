import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { defineTexts, useTexts } from '../i18n/texts.ts'
import { IconButton } from './icon-button.tsx'

const texts = defineTexts('ui-dialog', { close: { zh: '关闭', en: 'Close' } })

/**
 * A modal question or form: scrim, focus kept inside, Esc closes, focus returns. `footer` holds its buttons, the primary one last.
 * `width` in px (default 480, 640 for forms with lists). Mount it always and steer it with `isOpen`.
 */
export function Dialog({
  title,
  isOpen,
  onOpenChange,
  children,
  footer,
  width = 480,
  isDismissable = true,
  role = 'dialog',
}: {
  title: string
  isOpen: boolean
  onOpenChange: (open: boolean) => void
  children: ReactNode
  footer?: ReactNode
  width?: number
  /** False: only its own buttons close it. */
  isDismissable?: boolean
  role?: 'dialog' | 'alertdialog'
}) {
  const t = useTexts(texts)
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable={false}
      isKeyboardDismissDisabled={!isDismissable}
      className="modal-layer pop fixed inset-0 z-40 flex items-center justify-center bg-scrim p-3"
    >
      <Modal
        className="flex max-h-full w-full flex-col rounded bg-raised text-text shadow-raised"
        style={{ maxWidth: width }}
      >
        <AriaDialog role={role} className="flex min-h-0 flex-1 flex-col">
          <header className="flex h-14 flex-none items-center gap-2 pr-3 pl-6">
            <Heading slot="title" className="text-clip-line min-w-0 flex-1 text-16 font-semibold">
              {title}
            </Heading>
            {isDismissable && <IconButton label={t('close')} icon={X} onPress={() => onOpenChange(false)} />}
          </header>
          <div className="min-h-0 flex-1 overflow-auto px-6 pt-1 pb-5">{children}</div>
          {footer && (
            <footer className="flex min-h-16 flex-none flex-wrap items-center justify-end gap-2 border-t px-6 py-3">
              {footer}
            </footer>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
