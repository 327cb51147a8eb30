import { useState } from 'react'
import { type BackupPlan, BackupPlanSchema, backups, saveBackupPlan } from '#contracts/http/maintenance/backups.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { maintenanceTexts } from './maintenance-texts.ts'

/** When backups are made, where, and how many are kept. */
export function PlanDialog({ plan, onClose }: { plan: BackupPlan; onClose: () => void }) {
  const t = useTexts(maintenanceTexts)
  const [draft, setDraft] = useState({
    ...plan,
    keep_days: String(plan.keep_days),
    keep_count: String(plan.keep_count),
  })
  const set = (change: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...change }))
  const parsed = BackupPlanSchema.safeParse({
    ...draft,
    keep_days: Number(draft.keep_days),
    keep_count: Number(draft.keep_count),
  })
  const save = useAction(saveBackupPlan, {
    refreshes: [backups],
    onSuccess: () => {
      toast.success(t('planSaved'))
      onClose()
    },
  })
  const isReady = parsed.success && (!draft.enabled || draft.folder.trim() !== '')
  return (
    <FormDialog
      title={t('planEdit')}
      submitLabel={t('save')}
      isDisabled={!isReady || save.isPending}
      onSubmit={() => parsed.success && save.mutate({ body: parsed.data })}
      onClose={onClose}
    >
      <Switch isSelected={draft.enabled} onChange={(enabled) => set({ enabled })}>
        {t('planEnabled')}
      </Switch>
      <div className="grid grid-cols-2 gap-4">
        <TextField type="time" label={t('planTime')} value={draft.time} onChange={(time) => set({ time })} />
        <TextField label={t('planZone')} value={draft.zone} onChange={(zone) => set({ zone })} maxLength={64} />
      </div>
      <TextField
        mono
        label={t('planFolder')}
        value={draft.folder}
        onChange={(folder) => set({ folder })}
        note={t('planFolderNote')}
        maxLength={1000}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label={t('planKeep')}
          value={draft.keep_count}
          onChange={(keep_count) => set({ keep_count })}
          maxLength={4}
        />
        <TextField
          label={t('planDays')}
          value={draft.keep_days}
          onChange={(keep_days) => set({ keep_days })}
          note={t('planDaysNote')}
          maxLength={4}
        />
      </div>
    </FormDialog>
  )
}
