import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { BrandMark } from '#src/shared/ui/brand.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { errorTexts } from './error-texts.ts'

/** A whole page that says what is wrong and where to go on. Plain elements: it also works when everything else failed to load. */
export function ErrorScreen({
  code,
  title,
  hint,
  children,
}: {
  code?: string
  title: string
  hint: string
  children?: ReactNode
}) {
  const t = useTexts(errorTexts)
  return (
    <main className="flex h-full min-h-80 flex-col items-center justify-center bg-surface px-6 text-center">
      <BrandMark size={40} />
      {code && <p className="mt-5 text-40/[48px] font-semibold">{code}</p>}
      <h1 className={`text-20 font-semibold ${code ? '' : 'mt-5'}`}>{title}</h1>
      <p className="mt-1 max-w-[60ch] text-muted">{hint}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-2">
        <Link to="/" className={buttonClass('primary')}>
          {t('home')}
        </Link>
        {children}
      </div>
    </main>
  )
}
