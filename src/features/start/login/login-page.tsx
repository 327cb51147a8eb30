import { Eye, EyeOff, RotateCw } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { type ErrorKey, errorKeyOf, errorText } from '#contracts/errors.ts'
import { verifyImage } from '#contracts/http/accounts.ts'
import type { SecondStep } from '#contracts/http/second-factor.ts'
import { ApiError } from '#src/shared/api/api-error.ts'
import { signIn } from '#src/shared/api/session.ts'
import { setLanguage, translate, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { forgetUsername, rememberedUsername } from '#src/shared/session/next-username.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useSession } from '#src/shared/session/session-store.ts'
import { Brand } from '#src/shared/ui/brand.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { PlatformText } from '#src/shared/ui/platform-text.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { useInvitation } from './invitation-token.ts'
import { LoginField } from './login-field.tsx'
import { LoginPicture } from './login-picture.tsx'
import { checkLogin, type LoginErrors, type LoginForm } from './login-rules.ts'
import { loginTexts } from './login-texts.ts'
import { useProviderAnswer } from './provider-answer.ts'
import { ProviderButton } from './provider-button.tsx'

// What only some visits need stays out of the first load.
const LegalDialog = lazy(() => import('./legal-dialog.tsx'))
const InvitationForm = lazy(() => import('./invitation-form.tsx'))
const PasswordDialog = lazy(() => import('#src/shared/account/password-dialog.tsx'))
const SecondStepForm = lazy(() => import('./second-step.tsx'))
const SecondFactorDialog = lazy(() => import('#src/shared/account/second-factor-dialog.tsx'))

/** Which field a refusal of the server belongs to; others stand above the button. */
const FIELD_OF: Partial<Record<ErrorKey, keyof LoginForm>> = {
  'login.username_empty': 'username',
  'login.email': 'username',
  'login.password_empty': 'password',
  'login.code_empty': 'code',
  'login.code_wrong': 'code',
}

export default function LoginPage() {
  const t = useTexts(loginTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const platform = usePlatform()
  const mustChange = useSession((state) => state.user?.must_change_password ?? false)
  const mustEnrol = useSession((state) => state.user?.must_enrol ?? false)
  const [step, setStep] = useState<SecondStep | null>(null)
  const [invitation, closeInvitation] = useInvitation()
  const [form, setForm] = useState<LoginForm>(() => ({ username: rememberedUsername(), password: '', code: '' }))
  const [errors, setErrors] = useState<LoginErrors & { form?: ErrorKey | string }>({})
  const [image, setImage] = useState(() => Date.now())
  const [visible, setVisible] = useState(false)
  const [busy, setBusy] = useState(false)
  const [legal, setLegal] = useState(false)
  const inputs = useRef<Partial<Record<keyof LoginForm, HTMLInputElement | null>>>({})
  const text = (key: ErrorKey | string | undefined) =>
    key === undefined ? undefined : key.includes(' ') || !key.includes('.') ? key : errorText(key as ErrorKey, language)

  // The provider has sent the browser back: the sign-in ends here, once.
  const returned = useProviderAnswer()
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is good for one request
  useEffect(() => {
    if (returned === null) return
    setBusy(true)
    import('./provider-sign-in.ts')
      .then((one) => one.finishProviderSignIn(returned))
      .then(enter, (error: unknown) => {
        const key = error instanceof ApiError ? error.key : undefined
        if (key === 'login.second_factor') {
          const { username, ...begun } = (error as ApiError).fields as SecondStep & { username: string }
          setForm((before) => ({ ...before, username }))
          setStep(begun)
        } else setErrors({ form: error instanceof Error ? error.message : String(error) })
      })
      .finally(() => setBusy(false))
  }, [returned])

  const field = (name: keyof LoginForm) => ({
    value: form[name],
    error: text(errors[name]),
    onChange: (value: string) => {
      setForm((before) => ({ ...before, [name]: value }))
      setErrors(({ [name]: _, form: __, ...rest }) => rest)
    },
    inputRef: (element: HTMLInputElement | null) => {
      inputs.current[name] = element
    },
  })

  function renewImage(): void {
    setImage(Date.now())
    setForm((before) => ({ ...before, code: '' }))
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const found = checkLogin(form)
    setErrors(found)
    const first = (['username', 'password', 'code'] as const).find((name) => found[name])
    if (first) return inputs.current[first]?.focus()
    setBusy(true)
    try {
      const answer = await signIn({
        username: form.username.trim(),
        password: form.password,
        verify_code: form.code.trim(),
      })
      await enter(answer)
    } catch (error) {
      if (error instanceof ApiError && error.key === 'login.second_factor') setStep(error.fields as SecondStep)
      else refused(error)
    } finally {
      setBusy(false)
    }
  }

  /** A first password is changed, and a required second factor set up, here before anything else opens: the guard keeps them here. */
  async function enter({ mustChangePassword }: { mustChangePassword: boolean }): Promise<void> {
    if (mustChangePassword) return
    forgetUsername()
    await navigate(safeTarget(params.get('next')), { replace: true })
  }

  function refused(error: unknown): void {
    // Each image is good for one attempt.
    renewImage()
    const key = error instanceof ApiError ? errorKeyOf(error.code) : undefined
    const where = key && FIELD_OF[key]
    const message = error instanceof Error ? error.message : String(error)
    setErrors(where ? { [where]: key } : { form: message })
    inputs.current[where ?? 'code']?.focus()
  }

  return (
    <div className="grid h-full grid-cols-[560px_minmax(0,1fr)] overflow-auto bg-surface max-lg:grid-cols-1">
      <main className="mx-auto flex w-full max-w-[464px] flex-col px-12 pt-10 pb-8 max-sm:px-6 max-sm:pt-6 lg:mx-0 lg:ml-12">
        <header className="flex h-8 items-center justify-between">
          <Brand />
          {!platform.forcedLanguage && <LanguageSwitch label={t('language')} />}
        </header>
        {invitation !== null ? (
          <Suspense>
            <InvitationForm
              token={invitation}
              onDone={(username) => {
                closeInvitation()
                if (username) setForm((before) => ({ ...before, username }))
              }}
            />
          </Suspense>
        ) : step ? (
          <Suspense>
            <SecondStepForm
              username={form.username.trim()}
              step={step}
              onDone={(answer) => void enter(answer)}
              onBack={(message) => {
                setStep(null)
                renewImage()
                setForm((before) => ({ ...before, password: '', code: '' }))
                setErrors(message ? { form: message } : {})
              }}
            />
          </Suspense>
        ) : (
          <form noValidate onSubmit={submit} className="flex flex-1 flex-col pt-[12vh] pb-10 max-sm:pt-14">
            <h1 className="text-28/9 font-semibold">{t('title')}</h1>
            <p className="mb-2 text-muted">{t('what')}</p>
            {platform.loginText && (
              <section
                aria-label={t('notice')}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
                tabIndex={0}
                className="mt-2 max-h-44 overflow-y-auto rounded border bg-canvas px-3 py-2"
              >
                <PlatformText text={platform.loginText} />
              </section>
            )}
            <LoginField label={t('username')} {...field('username')} type="email" autoComplete="username" />
            <LoginField
              label={t('password')}
              {...field('password')}
              type={visible ? 'text' : 'password'}
              autoComplete="current-password"
            >
              <button
                type="button"
                aria-label={visible ? t('hide') : t('show')}
                aria-pressed={visible}
                onClick={() => setVisible(!visible)}
                className="absolute top-1 right-1 flex size-8 items-center justify-center rounded text-muted hover:bg-hover hover:text-text"
              >
                <Icon of={visible ? EyeOff : Eye} />
              </button>
            </LoginField>
            <LoginField label={t('code')} {...field('code')} placeholder={t('codeHint')} autoComplete="off">
              <span className="flex flex-none items-center gap-1">
                <img
                  src={`${verifyImage.path}?t=${image}`}
                  alt={t('image')}
                  className="h-10 w-[120px] rounded border border-line-strong bg-canvas object-contain"
                />
                <button
                  type="button"
                  aria-label={t('refresh')}
                  title={t('refresh')}
                  onClick={() => {
                    renewImage()
                    inputs.current.code?.focus()
                  }}
                  className="flex size-10 items-center justify-center rounded text-muted hover:bg-hover hover:text-text"
                >
                  <Icon of={RotateCw} />
                </button>
              </span>
            </LoginField>
            {errors.form && (
              <p role="alert" className="mt-4 rounded bg-bad-soft px-3 py-2 text-bad-text">
                {text(errors.form)}
              </p>
            )}
            <button type="submit" disabled={busy} className={`${buttonClass('primary')} mt-7 h-10! text-14`}>
              {busy ? t('busy') : t('submit')}
            </button>
            {platform.oidc && (
              <ProviderButton
                name={platform.oidc.label}
                isBusy={busy}
                onError={(message) => setErrors({ form: message })}
              />
            )}
            {platform.demoAccounts.length > 0 && (
              <DemoAccounts
                fill={(username, password) => {
                  setForm((before) => ({ ...before, username, password }))
                  setErrors({})
                  inputs.current.code?.focus()
                }}
              />
            )}
          </form>
        )}
        <footer className="text-12 text-muted">
          <div className="flex flex-wrap items-center gap-x-3">
            {(['terms', 'privacy'] as const).map((key) => (
              <button
                key={key}
                type="button"
                onClick={() => setLegal(true)}
                className="border-b border-line-strong hover:text-text"
              >
                {t(key)}
              </button>
            ))}
            {platform.version && <span className="ml-auto">{t('version', { version: platform.version })}</span>}
          </div>
          <p className="mt-1">{t('agree')}</p>
        </footer>
      </main>
      <LoginPicture />
      <Suspense>
        {legal && <LegalDialog isOpen onClose={() => setLegal(false)} />}
        {mustChange && <PasswordDialog forced isOpen onClose={() => undefined} />}
        {mustEnrol && !mustChange && (
          <SecondFactorDialog forced onClose={() => void enter({ mustChangePassword: false })} />
        )}
      </Suspense>
    </div>
  )
}

/** A path of this origin, never another site. */
function safeTarget(next: string | null): string {
  return next && /^\/(?![/\\])/.test(next) ? next : '/'
}

function LanguageSwitch({ label }: { label: string }) {
  const language = useLanguage()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a legend and layout of its own
    <div role="group" aria-label={label} className="flex h-6 rounded-small border text-12">
      {(['zh', 'en'] as const).map((one) => (
        <button
          key={one}
          type="button"
          lang={one === 'zh' ? 'zh-CN' : 'en'}
          aria-pressed={one === language}
          onClick={() => {
            if (one === language) return
            // In the new language.
            void setLanguage(one).then(() => toast.success(translate(loginTexts, 'switched')))
          }}
          className={`px-2 first:rounded-l-[3px] first:border-r last:rounded-r-[3px] ${one === language ? 'bg-selected font-semibold text-brand-text' : 'text-muted hover:text-text'}`}
        >
          {one === 'zh' ? '中文' : 'English'}
        </button>
      ))}
    </div>
  )
}

function DemoAccounts({ fill }: { fill: (username: string, password: string) => void }) {
  const t = useTexts(loginTexts)
  const accounts = usePlatform((state) => state.demoAccounts)
  return (
    <section className="mt-6 rounded border bg-canvas px-3 py-2.5" aria-label={t('demo')}>
      <div className="flex flex-wrap items-baseline gap-x-2 text-12">
        <span className="font-semibold whitespace-nowrap">{t('demo')}</span>
        <span className="text-muted">{t('demoHint')}</span>
      </div>
      <ul className="mt-1.5 space-y-1">
        {accounts.map(({ username, password, role }) => (
          <li key={username}>
            <button
              type="button"
              onClick={() => fill(username, password)}
              className="flex w-full flex-wrap items-center gap-x-3 rounded-small px-1.5 py-1 text-left text-12 hover:bg-neutral"
            >
              <span className="font-semibold text-brand-text">{username}</span>
              <span className="ml-auto text-muted">{role}</span>
              <code className="w-full select-all">{password}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
