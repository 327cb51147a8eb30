import { Download, Pencil, ScanSearch, ShieldPlus, Trash2, UploadCloud } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import { errorText } from '#contracts/errors.ts'
import { downFile, fileDetail } from '#contracts/http/assets.ts'
import { PAGES } from '#contracts/pages.ts'
import { mayBeBaseline } from '#domain/baseline.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { AppIcon } from '#src/shared/ui/app-icon.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { ForbiddenState } from '#src/shared/ui/forbidden-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Tabs } from '#src/shared/ui/tabs.tsx'
import { Tooltip } from '#src/shared/ui/tooltip.tsx'
import { assetTexts } from './asset-texts.ts'
import type { FileDetail } from './compare-files.ts'
import { ComponentsTab } from './components-tab.tsx'
import { EditFileDialog } from './edit-file-dialog.tsx'
import { detectPath, mayBeReinforced, reinforcePath } from './file-path.ts'
import { fileTexts } from './file-texts.ts'
import { OverviewTab } from './overview-tab.tsx'
import { PermissionsTab } from './permissions-tab.tsx'
import { signatureCaveats } from './signature-caveats.ts'
import { useFileActions } from './use-file-actions.ts'
import { VersionsTab } from './versions-tab.tsx'

const TABS = ['overview', 'permissions', 'components', 'versions'] as const

/** /assets/apps/:id/: everything that is known of one package, and what can be done with it. */
export default function FilePage() {
  const t = useTexts(fileTexts)
  const language = useLanguage()
  const { id = '' } = useParams()
  const mayRead = useMay('asset.read')
  const answer = useEndpoint(fileDetail, { query: { id } }, { enabled: mayRead && /^\d{1,9}$/.test(id) })
  const file = answer.data?.data
  usePageSubject(file?.name, file?.version)
  const isMissing = answer.error?.key === 'data.missing' || !/^\d{1,9}$/.test(id)
  if (file) return <FileBody key={file.id} file={file} />
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.asset[language]} />
      {!mayRead ? (
        <ForbiddenState permission="asset.read" />
      ) : isMissing ? (
        <EmptyState
          kind="missing"
          title={t('missing')}
          hint={t('missingHint')}
          action={
            <Link to={PAGES.assets.path} className={buttonClass('plain')}>
              {t('back')}
            </Link>
          }
        />
      ) : answer.error ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton lines={10} height="20px" className="p-5" />
      )}
    </div>
  )
}

function FileBody({ file }: { file: FileDetail }) {
  const t = useTexts(fileTexts)
  const { params, setParams } = useAddress()
  const [editing, setEditing] = useState(false)
  const tab = TABS.find((one) => one === params.get('tab')) ?? 'overview'
  const { permissions, components } = file.facts
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={
          <span className="inline-flex min-w-0 items-center gap-2.5">
            <AppIcon name={file.name} icon={file.icon} size={24} />
            <span className="text-clip-line">{file.name}</span>
          </span>
        }
        note={
          <span className="inline-flex items-center gap-2">
            {file.version}
            <Chip tone="neutral">{file.kind.toUpperCase()}</Chip>
            <SignatureChip file={file} />
          </span>
        }
        actions={<FileActions file={file} onEdit={() => setEditing(true)} />}
      />
      <Tabs
        label={t('tabs')}
        value={tab}
        onChange={(next) => setParams({ tab: next === 'overview' ? null : next, find: null })}
        items={[
          { id: 'overview', label: t('overview'), content: <OverviewTab file={file} /> },
          {
            id: 'permissions',
            label: `${t('permissions')} ${permissions.length}`,
            content: <PermissionsTab file={file} />,
          },
          {
            id: 'components',
            label: `${t('components')} ${components.length}`,
            content: <ComponentsTab file={file} />,
          },
          { id: 'versions', label: t('versions'), content: <VersionsTab file={file} /> },
        ]}
      />
      {editing && <EditFileDialog file={file} onClose={() => setEditing(false)} />}
    </div>
  )
}

/** Whether the signature holds, with what limits the trust in it. */
function SignatureChip({ file }: { file: FileDetail }) {
  const t = useTexts(fileTexts)
  const language = useLanguage()
  const tone = { verified: 'good', partial: 'warn', broken: 'bad', unsigned: 'bad', unknown: 'neutral' } as const
  const caveats = signatureCaveats(file, Date.now())
  const state = [t(file.signature), ...caveats.map((one) => t(one))].join(language === 'zh' ? '，' : ', ')
  const isQualified = file.signature === 'verified' && caveats.length > 0
  return <Chip tone={isQualified ? 'warn' : tone[file.signature]}>{t('stateOf', { name: t('state'), state })}</Chip>
}

function FileActions({ file, onEdit }: { file: FileDetail; onEdit: () => void }) {
  const t = useTexts(assetTexts)
  const navigate = useNavigate()
  const language = useLanguage()
  const { push, remove } = useFileActions()
  const mayPush = file.pushed || mayBeBaseline(file)
  const [mayDetect, mayUpload, mayDelete] = [useMay('asset.detect'), useMay('asset.upload'), useMay('asset.delete')]
  const mayReinforce = useMay('asset.harden') && mayBeReinforced(file)
  return (
    <>
      {mayDelete && (
        <Button
          variant="quiet"
          icon={Trash2}
          onPress={async () => {
            if (await remove(file)) await navigate(PAGES.assets.path)
          }}
        >
          {t('remove')}
        </Button>
      )}
      {mayUpload && (
        <>
          <Button variant="quiet" icon={Pencil} onPress={onEdit}>
            {t('edit')}
          </Button>
          <Button
            icon={UploadCloud}
            isDisabled={!mayPush}
            {...(!mayPush && { title: errorText('asset.no_identity', language) })}
            onPress={() => void push(file, !file.pushed)}
          >
            {t(file.pushed ? 'unpush' : 'push')}
          </Button>
        </>
      )}
      {file.has_file ? (
        <a
          className={buttonClass('plain')}
          href={downloadHref(downFile, { file: file.id, ...(file.appid && { appid: file.appid }) })}
          download
        >
          <Icon of={Download} />
          {t('download')}
        </a>
      ) : (
        <Tooltip text={t('gone')} focusable>
          {/* biome-ignore lint/a11y/useSemanticElements: a disabled button gets no focus, and so no tooltip */}
          <span
            role="button"
            tabIndex={0}
            aria-disabled
            className={`${buttonClass('plain')} cursor-not-allowed text-muted`}
          >
            <Icon of={Download} />
            {t('download')}
          </span>
        </Tooltip>
      )}
      {mayReinforce && (
        <Button icon={ShieldPlus} onPress={() => void navigate(reinforcePath(file.id))}>
          {t('reinforce')}
        </Button>
      )}
      {mayDetect && (
        <Button variant="primary" icon={ScanSearch} onPress={() => void navigate(detectPath(file.id))}>
          {t('detect')}
        </Button>
      )}
    </>
  )
}
