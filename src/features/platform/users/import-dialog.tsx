import { useState } from 'react'
import { IMPORT_LIMITS, importUsers, users } from '#contracts/http/users.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { usersTexts } from './users-texts.ts'

const EXAMPLE = 'username,role,customer_type,application_quota,expires,remarks\n'

/** Accounts from CSV: checked first, with every error by line; created only when no line has one. Passwords are shown once. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(usersTexts)
  const [csv, setCsv] = useState(EXAMPLE)
  const check = useAction(importUsers, {})
  const run = useAction(importUsers, {
    refreshes: [users],
    onSuccess: ({ created }) => created.length && void toast.success(t('imported', { count: created.length })),
  })
  const answer = run.data ?? check.data
  const created = run.data?.created ?? []
  const change = (text: string) => {
    setCsv(text.slice(0, IMPORT_LIMITS.characters))
    check.reset()
    run.reset()
  }
  const ready = check.data && check.data.errors.length === 0 && !run.data
  return (
    <Dialog
      title={t('importTitle')}
      isOpen
      onOpenChange={onClose}
      isDismissable={created.length === 0}
      width={720}
      footer={
        created.length ? (
          <Button variant="primary" onPress={onClose}>
            {t('done')}
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>{t('cancel')}</Button>
            <Button isDisabled={check.isPending} onPress={() => check.mutate({ body: { csv, check: true } })}>
              {t('check')}
            </Button>
            <Button
              variant="primary"
              isDisabled={!ready || run.isPending}
              onPress={() => run.mutate({ body: { csv, check: false } })}
            >
              {t('importRun', { count: check.data?.count ?? 0 })}
            </Button>
          </>
        )
      }
    >
      {created.length ? (
        <>
          <p className="mb-3 rounded bg-warn-soft px-3 py-2 text-warn-text">{t('once')}</p>
          <div className="rounded border bg-code px-3 py-1.5">
            <CopyText value={created.map(({ username, password }) => `${username},${password}`).join('\n')} />
          </div>
        </>
      ) : (
        <div className="space-y-3">
          <p className="text-muted">{t('importNote')}</p>
          <label
            className={`${buttonClass()} relative cursor-pointer focus-within:outline-2 focus-within:outline-brand-fill`}
          >
            {t('importFile')}
            <input
              type="file"
              accept=".csv,text/csv"
              className="absolute inset-0 cursor-pointer opacity-0"
              onChange={(event) => void event.target.files?.[0]?.text().then(change)}
            />
          </label>
          <TextField label={t('importText')} value={csv} onChange={change} rows={8} mono />
          {answer && answer.errors.length > 0 && (
            <div role="alert">
              <p className="font-semibold text-bad-text">{t('importErrors', { count: answer.errors.length })}</p>
              <ul className="max-h-40 overflow-auto">
                {answer.errors.map((one) => (
                  <li key={`${one.line} ${one.column} ${one.text}`}>{t('importError', one)}</li>
                ))}
              </ul>
            </div>
          )}
          {ready && <p className="text-good-text">{t('importReady', { count: check.data?.count ?? 0 })}</p>}
        </div>
      )}
    </Dialog>
  )
}
