import { ScanSearch } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import {
  APPLICATION_TYPES,
  type ApplicationType,
  type DetectionKind,
  type PhoneRun,
} from '#contracts/detection/kinds.ts'
import { createTasks, detectionKinds, detectionTasks, PRIORITIES, strategies } from '#contracts/http/detection/tasks.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { PAGES } from '#contracts/pages.ts'
import { FilePicker } from '#src/features/detection/parts/file-picker/file-picker.tsx'
import { useChosenFiles } from '#src/features/detection/parts/file-picker/use-chosen-files.ts'
import { taskPath } from '#src/features/detection/parts/task-path.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState, errorMessage } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { useStillShown } from '#src/shared/ui/use-still-shown.ts'
import { KindChoice, kindOffers } from './kind-choice.tsx'
import { newTexts } from './new-texts.ts'
import { PhoneChoice } from './phone-choice.tsx'
import { Refusals } from './refusals.tsx'

/** Where the address has the chosen files, and as many as one request takes. */
const FILES = { name: 'files', most: 50 } as const
type Priority = keyof typeof PRIORITIES
const TYPES = Object.keys(APPLICATION_TYPES) as ApplicationType[]
/** A phone is asked for only by who wants it. */
const NOT_BY_DEFAULT: readonly DetectionKind[] = ['dynamic']

/** /detection/new: which packages, what to detect, by which strategy. `files` in the address names packages to begin with. */
export default function DetectionNewPage() {
  return (
    <PermittedPage page="detection_new" permission="asset.read">
      <Selection />
    </PermittedPage>
  )
}

function Selection() {
  const t = useTexts(newTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const isStillShown = useStillShown()
  const address = useAddress()
  const choice = useChosenFiles(address, FILES)
  const chosen = choice.ids
  /** null: not touched yet, then every kind that may be chosen. */
  const [kinds, setKinds] = useState<ReadonlySet<DetectionKind> | null>(null)
  const [strategy, setStrategy] = useState('full')
  const [phone, setPhone] = useState('')
  const [run, setRun] = useState<PhoneRun>('normal')
  const [priority, setPriority] = useState<Priority>('normal')
  const [type, setType] = useState<ApplicationType | ''>('')
  const [refused, setRefused] = useState<ResponseOf<typeof createTasks>['refused']>([])
  const offers = useEndpoint(
    detectionKinds,
    { body: { files: [...chosen], ...(type !== '' && { application_type: type }) } },
    { enabled: chosen.length > 0, placeholderData: (before) => before },
  )
  const list = useEndpoint(strategies)
  const offered = useMemo(
    () => (chosen.length > 0 && offers.data ? kindOffers(offers.data, language, t) : []),
    [chosen, offers.data, language, t],
  )
  const possible = offered.filter((one) => one.why === null).map((one) => one.kind)
  const wanted = possible.filter((kind) => (kinds ? kinds.has(kind) : !NOT_BY_DEFAULT.includes(kind)))
  const phones = offers.data?.phones ?? []
  const serial = (phones.find((one) => one.serial === phone) ?? phones[0])?.serial
  const send = useAction(createTasks, {
    quiet: true,
    refreshes: [detectionTasks],
    onSuccess: ({ data, refused: no }) => {
      toast.success(t('created', { count: data.length }))
      if (!isStillShown()) return
      setRefused(no)
      const [first] = data
      if (no.length > 0) address.setParams({ files: [...new Set(no.map((one) => one.file))].join(',') }, true)
      else if (first && data.length === 1) void navigate(taskPath(first.id))
      else void navigate(PAGES.detection_tasks.path)
    },
  })
  const why = chosen.length === 0 ? t('whyFiles') : offers.data && wanted.length === 0 ? t('whyKinds') : null
  const start = () => {
    setRefused([])
    send.mutate({
      body: {
        files: [...chosen],
        kinds: wanted,
        strategy,
        priority,
        ...(type !== '' && { application_type: type }),
        ...(wanted.includes('dynamic') && serial && { phone: serial, run }),
      },
    })
  }
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={PAGES.detection_new[language]}
        actions={
          <>
            {why && <span className="text-12 text-muted">{why}</span>}
            <Button
              variant="primary"
              icon={ScanSearch}
              isDisabled={why !== null || wanted.length === 0 || send.isPending}
              {...(why && { title: why })}
              onPress={start}
            >
              {chosen.length > 1 ? t('startMany', { count: chosen.length }) : t('start')}
            </Button>
          </>
        }
      />
      {send.error && <Refusals refused={[]} error={send.error} />}
      {refused.length > 0 && <Refusals refused={refused} />}
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)_400px] border-t max-lg:grid-cols-1">
        <FilePicker address={address} choice={choice} note={t('filesNote')} emptyHint={t('noFilesHint')} />
        <div className="border-l max-lg:border-t max-lg:border-l-0">
          <Section plain title={t('kinds')} bodyClassName="px-5 pb-2">
            {chosen.length === 0 ? (
              <p className="py-3 text-muted">{t('kindsFirst')}</p>
            ) : offers.error ? (
              <ErrorState error={offers.error} onRetry={() => void offers.refetch()} />
            ) : offers.data ? (
              <KindChoice
                offered={offered}
                chosen={new Set(wanted)}
                onToggle={(kind) =>
                  setKinds(new Set(wanted.includes(kind) ? wanted.filter((one) => one !== kind) : [...wanted, kind]))
                }
              />
            ) : (
              <Skeleton lines={7} height="46px" />
            )}
          </Section>
          {wanted.includes('dynamic') && serial && (
            <Section plain title={t('phone')} className="border-t" bodyClassName="px-5 pb-4">
              <PhoneChoice phones={phones} phone={serial} run={run} onPhone={setPhone} onRun={setRun} />
            </Section>
          )}
          <Section
            plain
            title={t('strategy')}
            className="border-t"
            bodyClassName="px-5 pb-4"
            actions={
              <Link to={PAGES.strategies.path} className="pr-2 text-12 text-brand-text hover:underline">
                {t('editStrategies')}
              </Link>
            }
          >
            <Select
              label={t('strategy')}
              hideLabel
              value={strategy}
              onChange={setStrategy}
              items={(list.data?.data ?? []).map((one) => ({
                id: one.id,
                label: one.name[language],
                note: one.items === null ? t('allItems') : t('someItems', { count: one.items.length }),
              }))}
            />
            <p className="pt-1.5 text-12 text-muted">
              {list.data?.data.find((one) => one.id === strategy)?.note[language]}
            </p>
            {list.error && <p className="pt-1 text-12 text-bad-text">{errorMessage(list.error)}</p>}
          </Section>
          <Section plain title={t('applicationType')} className="border-t" bodyClassName="px-5 pb-4">
            <Select
              label={t('applicationType')}
              hideLabel
              value={type}
              onChange={setType}
              items={[
                { id: '' as const, label: t('asFiles') },
                ...TYPES.map((id) => ({ id, label: APPLICATION_TYPES[id][language] })),
              ]}
            />
            <p className="pt-1.5 text-12 text-muted">{t('applicationTypeNote')}</p>
          </Section>
          <Section plain title={t('priority')} className="border-t" bodyClassName="px-5 pb-5">
            <span className="inline-flex">
              <SegmentedControl
                label={t('priority')}
                value={priority}
                onChange={setPriority}
                items={(Object.keys(PRIORITIES) as Priority[]).map((id) => ({ id, label: t(id) }))}
              />
            </span>
          </Section>
        </div>
      </div>
    </div>
  )
}
