import { type FormEvent, useEffect, useState } from 'react'
import { type ErrorKey, errorKeyOf, errorText } from '#contracts/errors.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { acceptInvitation, invitation } from '#contracts/http/users.ts'
import { followsRule } from '#domain/password-rule.ts'
import { ApiError } from '#src/shared/api/api-error.ts'
import { exchange } from '#src/shared/api/exchange.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { defineTexts, translate, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { LoginField } from './login-field.tsx'

const texts = defineTexts('invitation', {
  title: { zh: '设置密码', en: 'Choose a password' },
  what: { zh: '您已受邀使用 {{product}}', en: 'You are invited to {{product}}' },
  account: { zh: '账号', en: 'Account' },
  role: { zh: '角色', en: 'Role' },
  until: { zh: '链接有效至', en: 'Link valid until' },
  password: { zh: '密码', en: 'Password' },
  confirm: { zh: '确认密码', en: 'Confirm password' },
  rule: {
    zh: '8-64 位，大写、小写、数字、特殊字符至少三种，不含空格',
    en: '8 to 64 characters, three of uppercase, lowercase, digit and special, no spaces',
  },
  submit: { zh: '设置密码', en: 'Set the password' },
  busy: { zh: '正在设置', en: 'Setting the password' },
  done: { zh: '密码已设置，请登录', en: 'The password is set, please sign in' },
  toLogin: { zh: '前往登录', en: 'Go to sign-in' },
})

type Invitation = ResponseOf<typeof invitation>['data']
type Errors = { password?: ErrorKey; confirm?: ErrorKey; form?: string }

/** The owner of an invited account chooses the first password. `onDone`: the link is used up, or is given up on. */
export default function InvitationForm({ token, onDone }: { token: string; onDone: (username?: string) => void }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const { tag: product, zone } = usePlatform()
  const [found, setFound] = useState<Invitation | string | null>(null)
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    let current = true
    exchange(invitation, { body: { token } }).then(
      ({ data }) => current && setFound(data),
      (error: unknown) => current && setFound(messageOf(error)),
    )
    return () => {
      current = false
    }
  }, [token])

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const wrong = check(password, again)
    setErrors(wrong)
    if (wrong.password || wrong.confirm) return
    setBusy(true)
    try {
      const { username } = await exchange(acceptInvitation, {
        body: { token, new_password1: password, new_password2: again },
      })
      toast.success(translate(texts, 'done'))
      onDone(username)
    } catch (error) {
      const key = error instanceof ApiError ? errorKeyOf(error.code) : undefined
      if (key === 'user.invitation_invalid') setFound(messageOf(error))
      else if (key?.startsWith('password.')) setErrors({ password: key })
      else setErrors({ form: messageOf(error) })
    } finally {
      setBusy(false)
    }
  }

  const text = (key: ErrorKey | undefined) => key && errorText(key, language)
  return (
    <form noValidate onSubmit={submit} className="flex flex-1 flex-col pt-[12vh] pb-10 max-sm:pt-14">
      <h1 className="text-28/9 font-semibold">{t('title')}</h1>
      <p className="mb-2 text-muted">{t('what', { product })}</p>
      {typeof found === 'string' ? (
        <p role="alert" className="mt-4 rounded bg-bad-soft px-3 py-2 text-bad-text">
          {found}
        </p>
      ) : (
        <>
          <dl className="mt-3 grid min-h-16 grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            {found && (
              <>
                <dt className="text-muted">{t('account')}</dt>
                <dd className="truncate font-semibold">{found.username}</dd>
                <dt className="text-muted">{t('role')}</dt>
                <dd>{found.role_name[language]}</dd>
                <dt className="text-muted">{t('until')}</dt>
                <dd>{formatDateTime(found.expires_at, zone, 'minute')}</dd>
              </>
            )}
          </dl>
          {/* For password managers: whose password it is. */}
          <input type="text" hidden readOnly autoComplete="username" value={found?.username ?? ''} />
          <LoginField
            label={t('password')}
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={(value) => {
              setPassword(value)
              setErrors({})
            }}
            error={text(errors.password)}
          />
          <p className="mt-1 text-12 text-muted">{t('rule')}</p>
          <LoginField
            label={t('confirm')}
            type="password"
            autoComplete="new-password"
            value={again}
            onChange={(value) => {
              setAgain(value)
              setErrors({})
            }}
            error={text(errors.confirm)}
          />
          {errors.form && (
            <p role="alert" className="mt-4 rounded bg-bad-soft px-3 py-2 text-bad-text">
              {errors.form}
            </p>
          )}
        </>
      )}
      {typeof found === 'string' ? (
        <button type="button" onClick={() => onDone()} className={`${buttonClass('primary')} mt-7 h-10! text-14`}>
          {t('toLogin')}
        </button>
      ) : (
        <button type="submit" disabled={busy || !found} className={`${buttonClass('primary')} mt-7 h-10! text-14`}>
          {busy ? t('busy') : t('submit')}
        </button>
      )}
    </form>
  )
}

function check(password: string, again: string): Errors {
  if (!password) return { password: 'password.new_empty' }
  if (/[%*]/.test(password)) return { password: 'password.characters' }
  if (!followsRule(password)) return { password: 'password.rule' }
  if (!again) return { confirm: 'password.confirm_empty' }
  return again === password ? {} : { confirm: 'password.confirm' }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
