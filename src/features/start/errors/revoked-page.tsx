import { useTexts } from '#src/shared/i18n/texts.ts'
import { forgetDisplayToken } from '#src/shared/session/display-token.ts'
import { BrandMark } from '#src/shared/ui/brand.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { errorTexts } from './error-texts.ts'

/** A wall whose token was refused. */
export default function RevokedPage() {
  const t = useTexts(errorTexts)
  return (
    <main
      data-theme="dark"
      className="flex h-full flex-col items-center justify-center bg-canvas px-6 text-center text-text"
    >
      <BrandMark size={40} />
      <h1 className="mt-5 text-28/9 font-semibold">{t('revoked')}</h1>
      <p className="mt-2 max-w-[60ch] text-16/6 text-muted">{t('revokedHint')}</p>
      <button
        type="button"
        className={`${buttonClass('plain')} mt-6`}
        onClick={() => {
          forgetDisplayToken()
          location.assign('/login')
        }}
      >
        {t('logIn')}
      </button>
    </main>
  )
}
