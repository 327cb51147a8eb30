import { useNavigate } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { NothingOfApplication } from './application-filter.tsx'

/** An empty list of detection tasks: another application may have some (`appid` is the filter), else the first one can be started. */
export function NoDetections({
  appid,
  title,
  hint,
  create,
}: {
  appid: string
  title: string
  hint: string
  /** Label of the button that starts a detection; false without the permission. */
  create: string | false
}) {
  const navigate = useNavigate()
  if (appid) return <NothingOfApplication />
  return (
    <EmptyState
      kind="none"
      title={title}
      hint={hint}
      action={create && <Button onPress={() => void navigate(PAGES.detection_new.path)}>{create}</Button>}
    />
  )
}
