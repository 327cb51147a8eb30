import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { ApplicationCheck } from './application-check.tsx'
import { CheckList } from './check-list.tsx'

/** /detection/self_check: applications with their progress; `app` in the address opens the questionnaire of one. */
export default function SelfCheckPage() {
  const { params } = useAddress()
  const app = params.get('app') ?? ''
  return (
    <PermittedPage page="self_check" permission="asset.detect_privacy">
      {/^\d{1,9}$/.test(app) ? <ApplicationCheck key={app} appid={app} /> : <CheckList />}
    </PermittedPage>
  )
}
