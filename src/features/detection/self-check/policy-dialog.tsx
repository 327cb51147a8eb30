import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  deletePrivacyPolicy,
  POLICY_FILE,
  POLICY_LENGTH,
  type PrivacyPolicy,
  privacyPolicy,
  savePrivacyPolicy,
} from '#contracts/http/self-check/privacy-policy.ts'
import { decodeText } from '#src/features/detection/parts/decode-text.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { policyTexts } from './policy-texts.ts'

/** Pastes, uploads, replaces or removes the privacy policy of an application. */
export function PolicyDialog({
  appid,
  policy,
  onClose,
}: {
  appid: string
  policy: PrivacyPolicy | null
  onClose: () => void
}) {
  const t = useTexts(policyTexts)
  const [content, setContent] = useState(policy?.content ?? '')
  const [name, setName] = useState(policy?.name ?? '')
  const [error, setError] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const save = useAction(savePrivacyPolicy, { refreshes: [privacyPolicy] })
  const remove = useAction(deletePrivacyPolicy, { refreshes: [privacyPolicy] })
  const length = content.trim().length
  const { least, most } = POLICY_LENGTH
  const problem =
    error ||
    (length > most
      ? t('long', { most: most.toLocaleString() })
      : length > 0 && length < least
        ? t('short', { least })
        : '')

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return
    const text = decodeText(new Uint8Array(await file.arrayBuffer()))
    const wrong = !POLICY_FILE.test(file.name) ? t('wrongKind') : text === undefined ? t('notText') : ''
    setError(wrong)
    if (wrong || text === undefined) return
    setContent(text)
    setName(file.name)
  }

  async function takeAway(): Promise<void> {
    if (!(await confirmDeletion({ title: t('removeAsk'), text: t('removeText'), action: t('remove') }))) return
    remove.mutate(
      { body: { appid } },
      {
        onSuccess: () => {
          deleted()
          onClose()
        },
      },
    )
  }

  return (
    <FormDialog
      title={t('policy')}
      submitLabel={t('save')}
      isDisabled={length < least || length > most || save.isPending}
      onClose={onClose}
      width={720}
      className=""
      onSubmit={() =>
        save.mutate(
          { body: { appid, name, content, rev: policy?.rev ?? 0 } },
          {
            onSuccess: () => {
              toast.success(t('saved'))
              onClose()
            },
          },
        )
      }
      extra={
        policy && (
          <Button variant="quiet" onPress={() => void takeAway()} isDisabled={remove.isPending}>
            {t('remove')}
          </Button>
        )
      }
    >
      <p className="pb-3 text-muted">{t('note')}</p>
      <div className="flex flex-wrap items-center gap-3 pb-3">
        <input
          ref={input}
          type="file"
          accept=".txt,.md,.markdown,.html,.htm"
          aria-label={t('file')}
          className="sr-only"
          onChange={({ target }) => {
            void choose(target.files?.[0])
            target.value = ''
          }}
        />
        <Button icon={Upload} onPress={() => input.current?.click()}>
          {t('file')}
        </Button>
        <span className="min-w-0 text-clip-line text-muted">{name}</span>
      </div>
      <TextField
        label={t('text')}
        rows={14}
        value={content}
        onChange={(next) => {
          setContent(next)
          setError('')
        }}
        error={problem}
        note={t('given', { count: length })}
      />
    </FormDialog>
  )
}
