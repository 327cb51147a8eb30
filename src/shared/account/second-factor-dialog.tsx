import { useCallback, useEffect, useState } from 'react'
import { errorText } from '#contracts/errors.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import {
  beginPasskey,
  beginSecondFactor,
  confirmPasskey,
  confirmSecondFactor,
  removePasskey,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorState,
} from '#contracts/http/second-factor.ts'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { refreshSession, signOut } from '../api/session.ts'
import { formatDateTime } from '../format/time.ts'
import { useLanguage, useTexts } from '../i18n/texts.ts'
import { usePlatform } from '../session/platform-store.ts'
import { useSession } from '../session/session-store.ts'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { deleted } from '../ui/deletion.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'
import { makePasskey, passkeyProblem } from './passkey.ts'
import { Passkeys } from './passkeys.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { secondFactorTexts } from './second-factor-texts.ts'

type OwnState = ResponseOf<typeof secondFactorState>['data']
type View =
  | { kind: 'state' }
  | { kind: 'password'; for: 'begin' | 'renew' | 'remove' | 'passkey' }
  | { kind: 'password'; for: 'dropPasskey'; id: string }
  | { kind: 'enrol'; secret: string; uri: string }
  | { kind: 'codes'; codes: readonly string[] }

/** Set-up, recovery codes and removal of the own second factor. `forced`: the role requires one and nothing opens before. */
export default function SecondFactorDialog({ onClose, forced = false }: { onClose: () => void; forced?: boolean }) {
  const t = useTexts(secondFactorTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const [state, setState] = useState<OwnState>()
  const [stateError, setStateError] = useState<Error>()
  const [view, setView] = useState<View>(forced ? { kind: 'password', for: 'begin' } : { kind: 'state' })
  const [text, setText] = useState('')
  const [name, setName] = useState('')
  const problem = passkeyProblem()
  const [error, setError] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  // An account of a provider has no password to ask for; the server wants a fresh sign-in instead.
  const hasPassword = useSession((session) => session.user?.origin !== 'oidc')
  const isPasskey = view.kind === 'password' && view.for === 'passkey'
  const isEmpty = (text.trim() === '' && (view.kind !== 'password' || hasPassword)) || (isPasskey && name.trim() === '')

  // Not by the query cache, which the login page does not load.
  const readState = useCallback(() => {
    setStateError(undefined)
    call(secondFactorState, {}, { quiet: true }).then(({ data }) => setState(data), setStateError)
  }, [])
  useEffect(() => {
    if (!forced) readState()
  }, [forced, readState])

  function show(next: View): void {
    setView(next)
    setText('')
    setError(undefined)
  }
  async function submit(): Promise<void> {
    if (isEmpty || isBusy) return
    setIsBusy(true)
    setError(undefined)
    try {
      if (view.kind === 'enrol') {
        const { recovery_codes } = await call(confirmSecondFactor, { body: { code: text } }, { quiet: true })
        show({ kind: 'codes', codes: recovery_codes })
      } else if (view.kind === 'password' && view.for === 'begin') {
        const { data } = await call(beginSecondFactor, { body: { password: text } }, { quiet: true })
        show({ kind: 'enrol', ...data })
      } else if (view.kind === 'password' && view.for === 'renew') {
        const { recovery_codes } = await call(renewRecoveryCodes, { body: { password: text } }, { quiet: true })
        show({ kind: 'codes', codes: recovery_codes })
      } else if (view.kind === 'password' && view.for === 'passkey') {
        const { data } = await call(beginPasskey, { body: { password: text } }, { quiet: true })
        const response = await makePasskey(data)
        if (!response) {
          setError(t('passkeyStopped'))
          return
        }
        const body = { name: name.trim(), response }
        const { recovery_codes } = await call(confirmPasskey, { body }, { quiet: true })
        setName('')
        if (recovery_codes.length > 0) return show({ kind: 'codes', codes: recovery_codes })
        toast.success(t('passkeyAdded'))
        readState()
        show({ kind: 'state' })
      } else if (view.kind === 'password' && view.for === 'dropPasskey') {
        await call(removePasskey, { body: { password: text, id: view.id } }, { quiet: true })
        deleted()
        readState()
        show({ kind: 'state' })
      } else if (view.kind === 'password') {
        await call(removeSecondFactor, { body: { password: text } }, { quiet: true })
        toast.success(t('removed'))
        onClose()
      }
    } catch (failure) {
      setText('')
      setError(failure instanceof ApiError ? failure.message : String(failure))
    } finally {
      setIsBusy(false)
    }
  }
  async function finish(): Promise<void> {
    // Who had to set it up may go on now.
    if (forced) await refreshSession()
    onClose()
  }

  const field = {
    value: text,
    onChange: (value: string) => {
      setText(value)
      setError(undefined)
    },
    ...(error && { error }),
    autoFocus: true,
  }
  const cancel = forced ? (
    <Button onPress={() => void signOut()}>{t('leave')}</Button>
  ) : (
    <Button onPress={onClose}>{t('cancel')}</Button>
  )
  const confirmButton = (label: string) => (
    <Button variant="primary" isDisabled={isBusy || isEmpty} onPress={() => void submit()}>
      {label}
    </Button>
  )
  return (
    <Dialog
      title={t('title')}
      isOpen
      onOpenChange={() => view.kind !== 'codes' && onClose()}
      isDismissable={!forced && view.kind !== 'codes'}
      width={view.kind === 'enrol' ? 560 : 460}
      footer={
        view.kind === 'state' ? (
          <>
            <Button onPress={onClose}>{t('close')}</Button>
            {state?.enabled_at === null && !problem && (
              <Button onPress={() => show({ kind: 'password', for: 'passkey' })}>{t('addPasskey')}</Button>
            )}
            {state?.enabled_at === null && (
              <Button variant="primary" onPress={() => show({ kind: 'password', for: 'begin' })}>
                {t('setUp')}
              </Button>
            )}
          </>
        ) : view.kind === 'codes' ? (
          <Button variant="primary" onPress={() => void finish()}>
            {t('kept')}
          </Button>
        ) : (
          <>
            {cancel}
            {forced && view.kind === 'password' && view.for === 'begin' && !problem && (
              <Button onPress={() => show({ kind: 'password', for: 'passkey' })}>{t('usePasskey')}</Button>
            )}
            {confirmButton(view.kind === 'enrol' ? t('enable') : t('next'))}
          </>
        )
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {forced && view.kind !== 'codes' && (
          <p className="mb-4 rounded bg-warn-soft px-3 py-2 text-warn-text">
            {errorText('login.must_enrol', language)}
          </p>
        )}
        {view.kind === 'state' &&
          (stateError ? (
            <ErrorState error={stateError} onRetry={readState} />
          ) : !state ? (
            <Skeleton lines={3} height="20px" />
          ) : state.enabled_at === null ? (
            <div className="space-y-3">
              <p>{t('what')}</p>
              {problem && (
                <p className="text-12 text-muted">{t(problem === 'host' ? 'passkeyHost' : 'passkeyBrowser')}</p>
              )}
            </div>
          ) : (
            <div className="space-y-4">
              <p>
                {t('enabledAt', { time: formatDateTime(state.enabled_at, zone) })}{' '}
                {t('left', { number: state.recovery_left })}
              </p>
              <Passkeys
                keys={state.passkeys}
                problem={problem}
                onAdd={() => show({ kind: 'password', for: 'passkey' })}
                onDelete={(id) => show({ kind: 'password', for: 'dropPasskey', id })}
              />
              <div className="flex flex-wrap gap-2">
                <Button onPress={() => show({ kind: 'password', for: 'begin' })}>
                  {state.one_time ? t('newPhone') : t('setUpApp')}
                </Button>
                <Button onPress={() => show({ kind: 'password', for: 'renew' })}>{t('renew')}</Button>
                {!state.required && (
                  <Button variant="danger" onPress={() => show({ kind: 'password', for: 'remove' })}>
                    {t('remove')}
                  </Button>
                )}
              </div>
              {state.required && <p className="text-12 text-muted">{t('required')}</p>}
            </div>
          ))}
        {view.kind === 'password' && (
          <div className="space-y-3">
            {hasPassword ? (
              <>
                <p className="text-muted">{t(`${view.for}Why`)}</p>
                <TextField {...field} type="password" label={t('password')} autoComplete="current-password" />
              </>
            ) : (
              <p>{error ?? t('noPassword')}</p>
            )}
            {isPasskey && (
              <TextField
                label={t('passkeyName')}
                note={t('passkeyNamed')}
                value={name}
                maxLength={64}
                onChange={setName}
              />
            )}
          </div>
        )}
        {view.kind === 'enrol' && (
          <div className="flex gap-5 max-sm:flex-col">
            <QrCode text={view.uri} label={t('qr')} />
            <div className="min-w-0 flex-1 space-y-4">
              <p>{t('scan')}</p>
              <div>
                <div className="mb-1 text-12 text-muted">{t('byHand')}</div>
                <CopyText value={view.secret} />
              </div>
              <TextField {...field} label={t('code')} autoComplete="one-time-code" />
            </div>
          </div>
        )}
        {view.kind === 'codes' && <RecoveryCodes codes={view.codes} />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
