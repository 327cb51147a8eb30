import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { loginTexts } from './login-texts.ts'

/** Leaves for the sign-in page of the provider; `name` as the administrator calls it, or ''. */
export function ProviderButton({
  name,
  isBusy,
  onError,
}: {
  name: string
  isBusy: boolean
  onError: (message: string) => void
}) {
  const t = useTexts(loginTexts)
  const [isLeaving, setIsLeaving] = useState(false)
  function leave(): void {
    setIsLeaving(true)
    // Busy until the page is gone.
    import('./provider-sign-in.ts')
      .then((one) => one.beginProviderSignIn())
      .catch((error: unknown) => {
        setIsLeaving(false)
        onError(error instanceof Error ? error.message : String(error))
      })
  }
  return (
    <>
      <p className="my-4 flex items-center gap-3 text-12 text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('or')}
      </p>
      <button
        type="button"
        disabled={isBusy || isLeaving}
        onClick={leave}
        className={`${buttonClass()} h-10! justify-center text-14`}
      >
        <Icon of={KeyRound} />
        {t('provider', { name: name || t('providerUnnamed') })}
      </button>
    </>
  )
}
