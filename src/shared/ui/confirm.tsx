import { useState } from 'react'
import { create } from 'zustand'
import { defineTexts, useTexts } from '../i18n/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './text-field.tsx'

const texts = defineTexts('ui-confirm', {
  cancel: { zh: '取消', en: 'Cancel' },
  confirm: { zh: '确定', en: 'Confirm' },
  type: { zh: '输入 {{text}} 以确认', en: 'Type {{text}} to confirm' },
})

export type Question = {
  title: string
  /** What will happen, and what can't be undone. */
  text: string
  /** The word on the button; 'Confirm' if absent. */
  action?: string
  danger?: boolean
  /** The user must type this first (deleting things others depend on). */
  typed?: string
}
type Pending = Question & { answer: (yes: boolean) => void }

const useQuestion = create<{ pending: Pending | null }>(() => ({ pending: null }))

/** Asks and waits. Closing in any way is 'no'. A second question answers the first with 'no'. */
export function confirm(question: Question): Promise<boolean> {
  useQuestion.getState().pending?.answer(false)
  return new Promise((resolve) => {
    useQuestion.setState({
      pending: {
        ...question,
        answer: (yes) => {
          useQuestion.setState({ pending: null })
          resolve(yes)
        },
      },
    })
  })
}

/** Shows the questions; mounted once, by the application's root. */
export function ConfirmHost() {
  const pending = useQuestion((state) => state.pending)
  return pending ? <ConfirmDialog key={pending.title + pending.text} {...pending} /> : null
}

function ConfirmDialog({ title, text, action, danger = false, typed, answer }: Pending) {
  const t = useTexts(texts)
  const [value, setValue] = useState('')
  const ready = !typed || value.trim() === typed
  return (
    <Dialog
      role="alertdialog"
      title={title}
      isOpen
      onOpenChange={() => answer(false)}
      width={420}
      footer={
        <>
          {/* Focus never starts on what destroys. */}
          <Button autoFocus={danger && !typed} onPress={() => answer(false)}>
            {t('cancel')}
          </Button>
          <Button
            variant={danger ? 'dangerFilled' : 'primary'}
            autoFocus={!danger && !typed}
            isDisabled={!ready}
            onPress={() => answer(true)}
          >
            {action ?? t('confirm')}
          </Button>
        </>
      }
    >
      <p className="text-muted">{text}</p>
      {typed && (
        <form
          className="mt-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (ready) answer(true)
          }}
        >
          <TextField
            autoFocus
            label={t('type', { text: typed })}
            value={value}
            onChange={setValue}
            autoComplete="off"
          />
        </form>
      )}
    </Dialog>
  )
}
