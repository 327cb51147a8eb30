import { ChevronLeft } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { CODE_SECONDS, type SecondStep, signinSecondFactor } from '#contracts/http/second-factor.ts'
import { passkeyProblem, signInWithPasskey } from '#src/shared/account/passkey.ts'
import { ApiError } from '#src/shared/api/api-error.ts'
import { exchange } from '#src/shared/api/exchange.ts'
import { begun } from '#src/shared/api/session.ts'
import { defineTexts, useTexts } from '#src/shared/i18n/texts.ts'
import { Avatar } from '#src/shared/ui/avatar.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { FIELD_ERROR } from '#src/shared/ui/field.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { LoginField } from './login-field.tsx'

const texts = defineTexts('second-step', {
  back: { zh: '换一个账号', en: 'Another account' },
  title: { zh: '第二步验证', en: 'Second step' },
  code: { zh: '身份验证器中的 6 位数字', en: 'The 6 digits of your authenticator app' },
  renews: { zh: '{{seconds}} 秒后换新', en: 'new in {{seconds}} s' },
  missing: { zh: '还差 {{number}} 位', en: '{{number}} to go' },
  submit: { zh: '登录', en: 'Log in' },
  busy: { zh: '正在登录', en: 'Logging in' },
  useRecovery: { zh: '使用恢复码，还剩 {{number}} 个', en: 'Use a recovery code, {{number}} left' },
  usePasskey: { zh: '使用通行密钥', en: 'Use a passkey' },
  passkeyHint: {
    zh: '按浏览器的提示，用指纹、面容或安全密钥确认。',
    en: 'Confirm with fingerprint, face or security key as the browser asks.',
  },
  passkeyStopped: { zh: '未完成，请重试', en: 'Not completed, please try again' },
  passkeyHost: {
    zh: '通行密钥需要主机名：当前地址是 IP，无法使用。',
    en: 'Passkeys need a host name: this address is an IP address.',
  },
  passkeyBrowser: {
    zh: '此浏览器或此连接（未用 HTTPS）不支持通行密钥。',
    en: 'This browser, or this connection without HTTPS, has no passkeys.',
  },
  useApp: { zh: '使用身份验证器', en: 'Use the authenticator app' },
  recovery: { zh: '恢复码', en: 'Recovery code' },
  lost: {
    zh: '没有手机也没有恢复码？请管理员清除您的第二步验证。',
    en: 'Neither phone nor recovery code? Ask an administrator to remove your second factor.',
  },
})

const DIGITS = 6

/** The second step of a sign-in: the code of the authenticator app in six boxes, or a recovery code. */
export default function SecondStepForm({
  username,
  step,
  onDone,
  onBack,
}: {
  username: string
  step: SecondStep
  onDone: (answer: { mustChangePassword: boolean }) => void
  /** The step is over, or another account shall be used; with what the login form then says. */
  onBack: (message?: string) => void
}) {
  const t = useTexts(texts)
  const [way, setWay] = useState<'code' | 'passkey' | 'recovery'>(step.one_time ? 'code' : 'passkey')
  const isRecovery = way === 'recovery'
  const problem = passkeyProblem()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const input = useRef<HTMLInputElement | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field changes with the kind of code
  useEffect(() => input.current?.focus(), [way])

  async function send(given: string): Promise<void> {
    setIsBusy(true)
    setError(undefined)
    try {
      const signedIn = await exchange(signinSecondFactor, { body: { step: step.step, code: given } })
      onDone(await begun(signedIn.must_change_password))
    } catch (failure) {
      const message = failure instanceof Error ? failure.message : String(failure)
      if (failure instanceof ApiError && failure.key !== 'login.second_wrong') return onBack(message)
      setCode('')
      setError(message)
      input.current?.focus()
    } finally {
      setIsBusy(false)
    }
  }
  async function signWithPasskey(): Promise<void> {
    setIsBusy(true)
    setError(undefined)
    try {
      const done = await signInWithPasskey(step.step)
      if (done) onDone(done)
      else setError(t('passkeyStopped'))
    } catch (failure) {
      const message = failure instanceof Error ? failure.message : String(failure)
      if (failure instanceof ApiError && !failure.key.startsWith('passkey.')) return onBack(message)
      setError(message)
    } finally {
      setIsBusy(false)
    }
  }
  function change(next: typeof way): void {
    setWay(next)
    setCode('')
    setError(undefined)
  }
  const missing = DIGITS - code.length
  const isComplete = isRecovery ? code.trim() !== '' : missing === 0
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (way === 'passkey') void signWithPasskey()
    else if (isComplete && !isBusy) void send(code)
  }
  function enterDigits(text: string): void {
    const digits = text.replace(/\D/g, '').slice(0, DIGITS)
    setCode(digits)
    setError(undefined)
    if (digits.length === DIGITS && !isBusy) void send(digits)
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-1 flex-col pt-[10vh] pb-10 max-sm:pt-10">
      <button
        type="button"
        onClick={() => onBack()}
        className="mb-6 flex items-center gap-1 self-start text-muted hover:text-text"
      >
        <Icon of={ChevronLeft} />
        {t('back')}
      </button>
      <h1 className="text-28/9 font-semibold">{t('title')}</h1>
      <p className="mt-1 mb-7 flex items-center gap-2 text-muted">
        <Avatar name={username} size={20} />
        {username}
      </p>
      {way === 'passkey' ? (
        <>
          <p className="text-muted">
            {t(problem === 'host' ? 'passkeyHost' : problem ? 'passkeyBrowser' : 'passkeyHint')}
          </p>
          {error && (
            <span role="alert" className={FIELD_ERROR}>
              {error}
            </span>
          )}
        </>
      ) : isRecovery ? (
        <LoginField
          label={t('recovery')}
          value={code}
          onChange={(value) => {
            setCode(value)
            setError(undefined)
          }}
          error={error}
          inputRef={(element) => {
            input.current = element
          }}
          autoComplete="off"
        />
      ) : (
        <>
          <div className="mb-2 flex items-center justify-between">
            <label htmlFor="one-time-code">{t('code')}</label>
            <Renewal />
          </div>
          <div className="relative">
            <input
              id="one-time-code"
              ref={input}
              value={code}
              onChange={(event) => enterDigits(event.target.value)}
              inputMode="numeric"
              autoComplete="one-time-code"
              aria-invalid={error !== undefined}
              aria-describedby={error ? 'one-time-code-error' : undefined}
              readOnly={isBusy}
              // The boxes below show its value and the caret.
              className="peer absolute inset-0 z-10 w-full cursor-text opacity-0"
            />
            <div aria-hidden className="group flex items-center gap-2">
              {Array.from({ length: DIGITS }, (_, at) => (
                <Box
                  // biome-ignore lint/suspicious/noArrayIndexKey: the boxes are places
                  key={at}
                  digit={code[at]}
                  isCurrent={at === Math.min(code.length, DIGITS - 1)}
                  isWrong={error !== undefined}
                  isMiddle={at === DIGITS / 2}
                />
              ))}
            </div>
          </div>
          {error && (
            <span id="one-time-code-error" role="alert" className={FIELD_ERROR}>
              {error}
            </span>
          )}
        </>
      )}
      <button
        type="submit"
        disabled={isBusy || (way === 'passkey' ? problem !== undefined : !isComplete)}
        className={`${buttonClass('primary')} mt-7 h-10! text-14`}
      >
        {isBusy
          ? t('busy')
          : way === 'passkey'
            ? t('usePasskey')
            : isRecovery || missing === 0
              ? t('submit')
              : t('missing', { number: missing })}
      </button>
      <div className="mt-5 flex flex-col items-center gap-2.5">
        {way !== 'code' && step.one_time && <Other onClick={() => change('code')}>{t('useApp')}</Other>}
        {way !== 'passkey' && step.passkeys && <Other onClick={() => change('passkey')}>{t('usePasskey')}</Other>}
        {!isRecovery && step.recovery_left > 0 && (
          <Other onClick={() => change('recovery')}>{t('useRecovery', { number: step.recovery_left })}</Other>
        )}
      </div>
      <p className="mt-8 text-12 text-muted">{t('lost')}</p>
    </form>
  )
}

function Other({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" onClick={onClick} className="text-brand-text hover:underline">
      {children}
    </button>
  )
}

function Box({
  digit,
  isCurrent,
  isWrong,
  isMiddle,
}: {
  digit: string | undefined
  isCurrent: boolean
  isWrong: boolean
  isMiddle: boolean
}) {
  const line = isWrong ? 'border-bad' : isCurrent ? 'border-brand ring-4 ring-selected' : 'border-line-strong'
  return (
    <>
      {isMiddle && <span className="text-muted">-</span>}
      <span
        className={`flex h-14 min-w-0 flex-1 items-center justify-center rounded border bg-surface text-28 tabular-nums ${line}`}
      >
        {digit ?? (isCurrent && <span className="h-6 w-px animate-pulse bg-text" />)}
      </span>
    </>
  )
}

/** How long the code of the app is still shown, as a ring and in seconds. */
function Renewal() {
  const t = useTexts(texts)
  const [left, setLeft] = useState(secondsLeft)
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsLeft()), 1000)
    return () => clearInterval(timer)
  }, [])
  const around = 2 * Math.PI * 6
  return (
    <span className="flex items-center gap-1.5 text-12 text-muted tabular-nums">
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden className="-rotate-90">
        <circle cx="8" cy="8" r="6" fill="none" strokeWidth="2.5" className="stroke-line" />
        <circle
          cx="8"
          cy="8"
          r="6"
          fill="none"
          strokeWidth="2.5"
          strokeDasharray={`${(around * left) / CODE_SECONDS} ${around}`}
          className="stroke-brand"
        />
      </svg>
      {t('renews', { seconds: left })}
    </span>
  )
}
const secondsLeft = () => CODE_SECONDS - (Math.floor(Date.now() / 1000) % CODE_SECONDS)
