import { setCurrentApplication, useApplications } from '../session/application-store.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Select } from '../ui/select.tsx'

/** Shown where a page needs one application and all are chosen: a select that chooses it. */
export function ChooseApplicationState({ title, hint, label }: { title: string; hint: string; label: string }) {
  const list = useApplications((state) => state.list)
  return (
    <EmptyState
      kind="missing"
      title={title}
      hint={hint}
      action={
        <Select
          label={label}
          hideLabel
          placeholder={title}
          className="w-60"
          value={null}
          items={(list ?? []).map((one) => ({ id: one.id, label: one.name }))}
          onChange={(id) => setCurrentApplication(id)}
        />
      }
    />
  )
}
