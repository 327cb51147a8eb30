import { PAGES } from '#contracts/pages.ts'
import { useAddress } from '#src/shared/detection/use-address.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { ForbiddenState } from '#src/shared/ui/forbidden-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { ApplicationCheck } from './application-check.tsx'
import { CheckList } from './check-list.tsx'

/** /detection/self_check: applications with their progress; `app` in the address opens the questionnaire of one. */
export default function SelfCheckPage() {
  const language = useLanguage()
  const mayCheck = useMay('asset.detect_privacy')
  const { params } = useAddress()
  const app = params.get('app') ?? ''
  if (mayCheck) return /^\d{1,9}$/.test(app) ? <ApplicationCheck key={app} appid={app} /> : <CheckList />
  return (
    <>
      <PageTitle title={PAGES.self_check[language]} />
      <ForbiddenState permission="asset.detect_privacy" />
    </>
  )
}
