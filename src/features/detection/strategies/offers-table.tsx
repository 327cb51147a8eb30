import { Check, Minus, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { APPLICATION_TYPES, DETECTION_KINDS, type DetectionKind, runsOnPhone } from '#contracts/detection/kinds.ts'
import { detectionKinds, detectionOffers, type Offer, saveDetectionOffers } from '#contracts/http/detection/tasks.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { openTypes, ordered, switched, withLine, withoutLine } from './offers-draft.ts'
import { offersTexts } from './offers-texts.ts'

const KINDS = Object.keys(DETECTION_KINDS) as DetectionKind[]

/** Which kinds of detection are offered for which packages (decision 33); who may change platform settings edits it here. */
export function OffersTable() {
  const t = useTexts(offersTexts)
  const language = useLanguage()
  const mayEdit = useMay('platform.settings')
  const answer = useEndpoint(detectionOffers)
  const [draft, setDraft] = useState<Offer[]>()
  const save = useAction(saveDetectionOffers, {
    refreshes: [detectionOffers, detectionKinds],
    onSuccess: () => {
      setDraft(undefined)
      toast.success(t('saved'))
    },
  })
  if (answer.error && !answer.data) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <Skeleton lines={8} height="28px" className="px-5 py-3" />
  const lines = draft ?? ordered(answer.data.data)
  const toDefaults = async () => {
    const question = { title: t('defaultsTitle'), text: t('defaultsText'), action: t('defaults'), danger: true }
    if (await confirm(question)) save.mutate({ body: { data: [] } })
    else toast.info(t('kept'))
  }
  return (
    <>
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2 px-5 py-2 max-lg:px-4">
        <p className="max-w-[120ch] text-12 text-muted">
          {t('note')} {!mayEdit && t('readOnly')}
        </p>
        {mayEdit && (
          <span className="ml-auto flex gap-2">
            {draft ? (
              <>
                <Button variant="quiet" onPress={() => setDraft(undefined)}>
                  {t('undo')}
                </Button>
                <Button
                  variant="primary"
                  isDisabled={save.isPending}
                  onPress={() => save.mutate({ body: { data: draft } })}
                >
                  {t('save')}
                </Button>
              </>
            ) : (
              <Button isDisabled={save.isPending} onPress={() => void toDefaults()}>
                {t('defaults')}
              </Button>
            )}
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard */}
      <section className="relative overflow-x-auto border-t" aria-label={t('offers')} tabIndex={0}>
        <table className="w-full border-collapse">
          <thead>
            <tr className="border-b text-12 text-muted">
              <th scope="col" className="py-2 pr-2 pl-5 text-left font-normal">
                {t('kind')}
              </th>
              <th scope="col" className="px-2 text-left font-normal whitespace-nowrap">
                {t('type')}
              </th>
              {KINDS.map((kind) => (
                <th key={kind} scope="col" className="w-28 min-w-20 px-2 py-2 text-center leading-4 font-normal">
                  {DETECTION_KINDS[kind][language]}
                </th>
              ))}
              <th className="w-14" />
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Line
                key={`${line.package_kind} ${line.application_type}`}
                line={line}
                lines={lines}
                mayEdit={mayEdit}
                onChange={setDraft}
              />
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function Line({
  line,
  lines,
  mayEdit,
  onChange,
}: {
  line: Offer
  lines: readonly Offer[]
  mayEdit: boolean
  onChange: (lines: Offer[]) => void
}) {
  const t = useTexts(offersTexts)
  const language = useLanguage()
  const { package_kind, application_type: type } = line
  const file = package_kind.toUpperCase()
  const isGeneral = type === null
  const isSplit = lines.some((one) => one.package_kind === package_kind && one.application_type !== null)
  const free = isGeneral ? openTypes(lines, line) : []
  return (
    <tr className="h-10 border-b hover:bg-hover">
      <td className="pr-2 pl-5 font-semibold">{isGeneral && file}</td>
      <td className={`px-2 whitespace-nowrap ${isGeneral ? 'text-muted' : ''}`}>
        {isGeneral ? t(isSplit ? 'anyType' : 'all') : APPLICATION_TYPES[type][language]}
      </td>
      {KINDS.map((kind) => {
        const never = kind === 'dynamic' && !runsOnPhone(package_kind)
        const on = !never && line.kinds.includes(kind)
        const of = isGeneral ? file : `${file} ${APPLICATION_TYPES[type][language]}`
        const label = t('offered', { file: of, kind: DETECTION_KINDS[kind][language] })
        return (
          <td key={kind} className="px-2 text-center">
            <span className="inline-flex align-middle" title={never ? t('noPhone') : undefined}>
              {mayEdit && !never ? (
                <Checkbox label={label} isSelected={on} onChange={() => onChange(switched(lines, line, kind))} />
              ) : (
                <>
                  <Icon of={on ? Check : Minus} className={on ? 'text-good-text' : 'text-muted'} />
                  <span className="sr-only">{t(on ? 'yes' : 'no')}</span>
                </>
              )}
            </span>
          </td>
        )
      })}
      <td className="pr-4 text-right">
        {mayEdit &&
          (isGeneral ? (
            free.length > 0 && (
              <MenuButton
                iconOnly
                icon={Plus}
                label={`${file}: ${t('add')}`}
                items={free.map((id) => ({
                  id,
                  label: APPLICATION_TYPES[id][language],
                  onAction: () => onChange(withLine(lines, line, id)),
                }))}
              />
            )
          ) : (
            <IconButton
              size="small"
              icon={Trash2}
              label={`${file} ${APPLICATION_TYPES[type][language]}: ${t('remove')}`}
              onPress={() => onChange(withoutLine(lines, line))}
            />
          ))}
      </td>
    </tr>
  )
}
