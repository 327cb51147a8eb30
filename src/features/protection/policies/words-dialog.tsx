import { useState } from 'react'
import { RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { policyTexts } from './policy-texts.ts'

type Words = { zh: string; en: string }

/** The user's own words about one risk, in both languages. */
export function WordsDialog({
  risk,
  words,
  isReadOnly,
  onClose,
  onSave,
}: {
  risk: RiskType
  words: Words | undefined
  isReadOnly: boolean
  onClose: () => void
  onSave: (words: Words | undefined) => void
}) {
  const t = useTexts(policyTexts)
  const language = useLanguage()
  const [form, setForm] = useState<Words>(words ?? { zh: '', en: '' })
  function submit(): void {
    // One line: what a phone shows has no line breaks of its own.
    const tidy = (text: string) => text.replace(/\p{Cc}+/gu, ' ').trim()
    const [zh, en] = [tidy(form.zh), tidy(form.en)]
    onSave(zh || en ? { zh, en } : undefined)
    onClose()
  }
  return (
    <FormDialog
      title={t('wordsOf', { risk: RISK_TYPES[risk][language] })}
      submitLabel={t('apply')}
      isDisabled={isReadOnly}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-muted">{t('wordsNote')}</p>
      {(['zh', 'en'] as const).map((one) => (
        <TextField
          key={one}
          label={t(one === 'zh' ? 'wordsZh' : 'wordsEn')}
          value={form[one]}
          onChange={(text) => setForm((before) => ({ ...before, [one]: text }))}
          maxLength={200}
          isReadOnly={isReadOnly}
          autoFocus={one === language}
          autoComplete="off"
        />
      ))}
    </FormDialog>
  )
}
