import type { ReactNode } from 'react'
import { defineTexts, useTexts } from '../i18n/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

const texts = defineTexts('ui-form-dialog', { cancel: { zh: '取消', en: 'Cancel' } })

/** A dialog that is one form: its button and Enter both submit, neither while `isDisabled`. Mount it to open it. */
export function FormDialog({
  title,
  submitLabel,
  isDisabled,
  onSubmit,
  onClose,
  children,
  extra,
  width,
  className = 'space-y-4',
}: {
  title: string
  submitLabel: string
  isDisabled: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
  /** An action beside the two, as taking away what the form is of. */
  extra?: ReactNode
  width?: number
  /** Of the form: how its fields stand. */
  className?: string
}) {
  const t = useTexts(texts)
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      {...(width !== undefined && { width })}
      footer={
        <>
          {extra}
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="primary" isDisabled={isDisabled} onPress={onSubmit}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        className={className}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isDisabled) onSubmit()
        }}
      >
        {children}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
