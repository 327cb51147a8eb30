import { useState } from 'react'
import { type ErrorKey, errorKeyOf, errorText } from '#contracts/errors.ts'
import { changePass } from '#contracts/http/accounts.ts'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { signOut } from '../api/session.ts'
import { defineTexts, translate, useLanguage, useTexts } from '../i18n/texts.ts'
import { rememberUsername } from '../session/next-username.ts'
import { useSession } from '../session/session-store.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'
import { checkPasswords, type PasswordErrors, type PasswordForm } from './password-rules.ts'

const texts = defineTexts('password', {
  title: { zh: '修改密码', en: 'Change password' },
  forced: { zh: '首次登录请先修改密码，再继续使用。', en: 'Please change the first password before going on.' },
  old: { zh: '旧密码', en: 'Old password' },
  next: { zh: '新密码', en: 'New password' },
  confirm: { zh: '确认密码', en: 'Confirm password' },
  rule: {
    zh: '8-64 位，大写、小写、数字、特殊字符至少三种，不含空格',
    en: '8 to 64 characters, three of uppercase, lowercase, digit and special, no spaces',
  },
  ends: {
    zh: '修改后，此账号的所有会话和访问令牌都会失效。',
    en: 'All sessions and access tokens of this account end with the change.',
  },
  cancel: { zh: '取消', en: 'Cancel' },
  leave: { zh: '退出登录', en: 'Log out' },
  submit: { zh: '确定', en: 'Confirm' },
  done: { zh: '修改成功', en: 'Password has been changed successfully. Please log in again!' },
})

const DONE_MS = 5000
const LOGOUT_MS = 2000
const FIELD_OF: Partial<Record<ErrorKey, keyof PasswordForm>> = {
  'password.old_empty': 'old',
  'password.old_wrong': 'old',
  'password.new_empty': 'next',
  'password.rule': 'next',
  'password.same': 'next',
  'password.common': 'next',
  'password.reused': 'next',
  'password.confirm_empty': 'confirm',
  'password.confirm': 'confirm',
}
const EMPTY: PasswordForm = { old: '', next: '', confirm: '' }

/** Old, new, confirm. Success: the dialog closes, 修改成功 for 5 s, log-out after 2 s. `forced`: the first password, closes by leaving only. */
export default function PasswordDialog({
  isOpen,
  onClose,
  forced = false,
}: {
  isOpen: boolean
  onClose: () => void
  forced?: boolean
}) {
  const t = useTexts(texts)
  const language = useLanguage()
  const [form, setForm] = useState(EMPTY)
  const [errors, setErrors] = useState<PasswordErrors>({})
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)

  function close(): void {
    setForm(EMPTY)
    setErrors({})
    onClose()
  }

  async function submit(): Promise<void> {
    const found = checkPasswords(form)
    setErrors(found)
    const first = Object.values(found)[0]
    // A forbidden character also raises a notice, as PASS-01 demands.
    if (first === 'password.characters') toast.error(errorText(first, language))
    if (first) return
    setBusy(true)
    try {
      await call(
        changePass,
        { body: { old_password: form.old, new_password1: form.next, new_password2: form.confirm } },
        { quiet: true },
      )
      rememberUsername(useSession.getState().user?.username ?? '')
      setDone(true)
      close()
      toast.success(translate(texts, 'done'), { ms: DONE_MS })
      setTimeout(() => void signOut(), LOGOUT_MS)
    } catch (error) {
      const key = error instanceof ApiError ? errorKeyOf(error.code) : undefined
      const where = key && FIELD_OF[key]
      if (where) setErrors({ [where]: key })
      else toast.error(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }

  const field = (name: keyof PasswordForm) => ({
    label: t(name),
    type: 'password',
    value: form[name],
    onChange: (value: string) => {
      setForm({ ...form, [name]: value })
      setErrors({ ...errors, [name]: undefined })
    },
    error: errors[name] && errorText(errors[name], language),
    autoComplete: name === 'old' ? 'current-password' : 'new-password',
  })
  return (
    <Dialog
      title={t('title')}
      isOpen={isOpen && !done}
      onOpenChange={close}
      isDismissable={!forced}
      width={420}
      footer={
        <>
          <Button onPress={forced ? () => void signOut() : close}>{forced ? t('leave') : t('cancel')}</Button>
          <Button variant="primary" isDisabled={busy} onPress={() => void submit()}>
            {t('submit')}
          </Button>
        </>
      }
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {forced && <p className="rounded bg-warn-soft px-3 py-2 text-warn-text">{t('forced')}</p>}
        <TextField {...field('old')} autoFocus />
        <TextField {...field('next')} note={t('rule')} />
        <TextField {...field('confirm')} />
        <p className="text-12 text-muted">{t('ends')}</p>
        {/* Enter in a field submits. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
