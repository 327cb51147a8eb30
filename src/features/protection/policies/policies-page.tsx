import { useSearchParams } from 'react-router-dom'
import { PolicyEditor } from './policy-editor.tsx'
import { PolicyList } from './policy-list.tsx'

/** Configuration center: the policies, or the one that the address names with its deployment. */
export default function PoliciesPage() {
  const [params] = useSearchParams()
  const id = params.get('policy')
  return id ? <PolicyEditor key={id} id={id} /> : <PolicyList />
}
