import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { deleteOwnRule, type OwnRuleRow, ownRules } from '#contracts/http/detection/rules.ts'
import { detectionItems } from '#contracts/http/detection/tasks.ts'
import { FindingLevelMark } from '#src/features/detection/parts/finding-level.tsx'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { RuleEditor } from './rule-editor.tsx'
import { rulesTexts } from './rules-texts.ts'

const NEW = 'new'

/** Rules that the installation brings itself; `rule` in the address opens one with its test bench. */
export function RuleList() {
  const t = useTexts(rulesTexts)
  const mayEdit = useMay('rule.edit')
  const { params, setParams } = useAddress()
  const answer = useEndpoint(ownRules)
  const rules = answer.data?.data
  const open = params.get('rule')
  const rule = rules?.find((one) => one.id === open)
  const create = () => setParams({ rule: NEW })
  if (answer.error && !rules) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!rules) return <Skeleton lines={8} height="28px" className="px-5 py-3" />
  return (
    <>
      {mayEdit && (
        <div className="flex justify-end px-5 py-2">
          <Button icon={Plus} onPress={create}>
            {t('create')}
          </Button>
        </div>
      )}
      {rules.length === 0 ? (
        <EmptyState
          kind="none"
          title={t('none')}
          hint={t('noneHint')}
          action={mayEdit && <Button onPress={create}>{t('create')}</Button>}
        />
      ) : (
        <ul aria-label={t('rules')} className="border-t">
          {rules.map((one) => (
            <Row key={one.id} rule={one} mayEdit={mayEdit} onOpen={() => setParams({ rule: one.id })} />
          ))}
        </ul>
      )}
      {mayEdit && answer.data && (open === NEW || rule) && (
        <RuleEditor
          key={open}
          rule={rule}
          questions={answer.data.questions}
          onClose={() => setParams({ rule: null })}
        />
      )}
    </>
  )
}

function Row({ rule, mayEdit, onOpen }: { rule: OwnRuleRow; mayEdit: boolean; onOpen: () => void }) {
  const t = useTexts(rulesTexts)
  const { mutate } = useAction(deleteOwnRule, {
    refreshes: [ownRules, detectionItems],
    onSuccess: () => deleted(),
  })
  const remove = async () => {
    const { name } = rule
    const question = { title: t('removeTitle', { name }), text: t('removeText'), action: t('remove') }
    if (await confirmDeletion(question)) mutate({ body: { id: rule.id } })
  }
  return (
    <li className="flex min-h-12 items-center gap-4 border-b px-5 py-1.5 hover:bg-hover">
      <span className="w-16 flex-none">
        <FindingLevelMark level={rule.level} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          {mayEdit ? (
            <button type="button" className="font-semibold text-brand-text hover:underline" onClick={onOpen}>
              {rule.name}
            </button>
          ) : (
            <span className="font-semibold">{rule.name}</span>
          )}
          {!rule.enabled && <Chip tone="neutral">{t('off')}</Chip>}
        </span>
        <code className="text-clip-line block font-mono text-12 text-muted">{rule.expression}</code>
      </span>
      <span className="text-12 whitespace-nowrap text-muted max-sm:hidden">
        {rule.by} <RelativeTime at={rule.updated_at} />
      </span>
      {mayEdit && (
        <MenuButton
          iconOnly
          icon={Ellipsis}
          label={t('actions', { name: rule.name })}
          items={[
            { id: 'edit', label: t('edit'), icon: Pencil, onAction: onOpen },
            { id: 'delete', label: t('remove'), icon: Trash2, danger: true, onAction: () => void remove() },
          ]}
        />
      )}
    </li>
  )
}
