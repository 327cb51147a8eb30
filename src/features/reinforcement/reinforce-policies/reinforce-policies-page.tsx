import { useSearchParams } from 'react-router-dom'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { PolicyEditor } from './policy-editor.tsx'
import { PolicyList } from './policy-list.tsx'

/** /reinforce/policies: all policies, or the one that the address names. */
export default function ReinforcePoliciesPage() {
  const [params] = useSearchParams()
  const id = params.get('policy')
  return (
    <PermittedPage page="reinforce_policies" permission="asset.harden">
      {id ? <PolicyEditor key={id} id={id} /> : <PolicyList />}
    </PermittedPage>
  )
}
