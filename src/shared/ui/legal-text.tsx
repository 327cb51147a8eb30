import { useTexts } from '../i18n/texts.ts'
import { usePlatform } from '../session/platform-store.ts'
import { legalTexts } from './legal-texts.ts'

/** Days that sender address and raw content are kept whole at most (decision 21). */
const PERSONAL_DAYS = 30

/** Terms, privacy and network logs: in the login page's dialog and on 'about us'. */
export function LegalText() {
  const t = useTexts(legalTexts)
  const days = usePlatform((state) => state.logDays)
  return (
    <div className="max-w-[72ch] space-y-4">
      <section>
        <h3 className="mb-1 text-14 font-semibold">{t('terms')}</h3>
        <p>{t('terms1')}</p>
        <p className="mt-1.5">{t('terms2')}</p>
      </section>
      <section>
        <h3 className="mb-1 text-14 font-semibold">{t('privacy')}</h3>
        <p>{t('privacy1', { personal: PERSONAL_DAYS })}</p>
        <p className="mt-1.5">{t('privacy2')}</p>
      </section>
      <section>
        <h3 className="mb-1 text-14 font-semibold">{t('logs')}</h3>
        <p>{t('logs1', { days })}</p>
      </section>
    </div>
  )
}
