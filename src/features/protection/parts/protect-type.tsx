import { type Application, applicationList } from '#contracts/http/applications.ts'
import { setProtectType } from '#contracts/http/policies.ts'
import { signOut } from '../../../shared/api/session.ts'
import { useAction } from '../../../shared/api/use-action.ts'
import { defineTexts, useTexts } from '../../../shared/i18n/texts.ts'
import { useMay } from '../../../shared/session/session-store.ts'
import { confirm } from '../../../shared/ui/confirm.tsx'
import { SegmentedControl } from '../../../shared/ui/segmented-control.tsx'

const texts = defineTexts('protect-type', {
  label: { zh: '防护类型', en: 'Protection type' },
  type_0: { zh: '观察', en: 'Observe' },
  type_1: { zh: '防护', en: 'Protect' },
  note_0: { zh: '应用只上报，不执行提醒、退出和阻断。', en: 'Apps report; they do not warn, exit or block.' },
  note_1: { zh: '应用按策略执行动作。', en: 'Apps do what the policy says.' },
  ask: {
    zh: '切换为“{{type}}”会改变 {{name}} 的所有设备在下次取策略后的行为。切换成功后需要重新登录。',
    en: 'Switching to “{{type}}” changes what all devices of {{name}} do from their next policy on. You will be signed out afterwards.',
  },
  switch: { zh: '切换', en: 'Switch' },
})

/** Observe or protect. Switching asks, posts protect_type, and signs out once it is done (APP-07). */
export function ProtectType({ application, note = false }: { application: Application; note?: boolean }) {
  const t = useTexts(texts)
  const may = useMay('policy.deploy')
  const change = useAction(setProtectType, { refreshes: [applicationList] })
  const value = application.protect_type
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <span className="text-12 text-muted">{t('label')}</span>
      <SegmentedControl
        size="small"
        label={t('label')}
        value={value}
        isDisabled={!may || change.isPending}
        items={[
          { id: '0', label: t('type_0') },
          { id: '1', label: t('type_1') },
        ]}
        onChange={async (next) => {
          if (next === value) return
          const text = t('ask', { type: t(`type_${next}`), name: application.name })
          if (!(await confirm({ title: t('label'), text, action: t('switch') }))) return
          change.mutate({ body: { appid: application.id, protect_type: next } }, { onSuccess: () => void signOut() })
        }}
      />
      {note && <span className="text-12 text-muted">{t(`note_${value}`)}</span>}
    </div>
  )
}
