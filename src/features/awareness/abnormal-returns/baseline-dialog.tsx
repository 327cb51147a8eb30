import { useState } from 'react'
import { abnormalReturns } from '#contracts/http/abnormal-returns.ts'
import { type Baseline, baselines, saveBaseline } from '#contracts/http/baselines.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useBasis } from '#src/shared/api/use-basis.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { OutdatedBar } from '#src/shared/ui/outdated-bar.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { abnormalTexts } from './abnormal-texts.ts'
import { readChannels, readHashes, readSigners } from './baseline-form.ts'

/** What is filled in of a new baseline. */
type BaselineDraft = Partial<Pick<Baseline, 'appid' | 'version' | 'package_name'>>

/** The form of a baseline: what a released version is. What is left empty is not compared. */
export function BaselineDialog({
  baseline,
  draft = {},
  onClose,
}: {
  /** The one to edit; absent: a new one. */
  baseline?: Baseline
  draft?: BaselineDraft
  onClose: () => void
}) {
  const t = useTexts(abnormalTexts)
  const nameOf = useNameOf()
  const apps = useApplications((state) => state.list) ?? []
  const current = useApplications((state) => state.current)
  const [appid, setAppid] = useState(
    baseline?.appid ?? draft.appid ?? (current && current !== 'all' ? current : apps[0]?.id) ?? '',
  )
  const [version, setVersion] = useState(baseline?.version ?? draft.version ?? '')
  const [packageName, setPackage] = useState(baseline?.package_name ?? draft.package_name ?? '')
  const [signers, setSigners] = useState(baseline?.signers.join('\n') ?? '')
  const [hashes, setHashes] = useState(
    Object.entries(baseline?.hashes ?? {})
      .map(([name, hash]) => `${name}=${hash}`)
      .join('\n'),
  )
  const [channels, setChannels] = useState(baseline?.channels.join(', ') ?? '')
  const [note, setNote] = useState(baseline?.note ?? '')
  const [tried, setTried] = useState(false)
  const save = useAction(saveBaseline, {
    refreshes: [baselines, abnormalReturns],
    onSuccess: () => {
      toast.success(t('saved'))
      onClose()
    },
  })
  const newest = useEndpoint(baselines, {}, { enabled: baseline !== undefined }).data?.data
  const basis = useBasis(newest?.find(({ id }) => id === baseline?.id) ?? baseline, (one) => one?.rev)
  const isOutdated = basis.isOutdated && !save.isPending
  const read = { signers: readSigners(signers), hashes: readHashes(hashes), channels: readChannels(channels) }
  const isEmpty =
    packageName.trim() === '' &&
    read.signers.value.length + read.channels.length + Object.keys(read.hashes.value).length === 0
  const versionError = version.trim() === '' ? t('needVersion') : undefined
  const signerError = read.signers.badLine === null ? undefined : t('badSigner', { line: read.signers.badLine })
  const hashError = read.hashes.badLine === null ? undefined : t('badHash', { line: read.hashes.badLine })
  const submit = () => {
    setTried(true)
    if (versionError || signerError || hashError || isEmpty || isOutdated) return
    save.mutate({
      body: {
        ...(basis.row && { id: basis.row.id, rev: basis.row.rev }),
        appid,
        version: version.trim(),
        package_name: packageName.trim(),
        signers: read.signers.value,
        hashes: read.hashes.value,
        channels: read.channels,
        note: note.trim(),
      },
    })
  }
  return (
    <FormDialog
      title={t(baseline ? 'editTitle' : 'add')}
      submitLabel={t('save')}
      isDisabled={save.isPending || isOutdated}
      onSubmit={submit}
      onClose={onClose}
      width={640}
      className="grid grid-cols-2 gap-4 max-sm:grid-cols-1"
    >
      {isOutdated && (
        <div className="col-span-full">
          <OutdatedBar onKeep={basis.keepMine} onDiscard={onClose} />
        </div>
      )}
      <Select
        label={t('app')}
        value={appid}
        isDisabled={baseline !== undefined}
        onChange={setAppid}
        items={apps.map(({ id }) => ({ id, label: nameOf('app', id) }))}
      />
      <TextField
        label={t('version')}
        value={version}
        onChange={setVersion}
        isRequired
        maxLength={64}
        error={tried ? versionError : undefined}
      />
      <TextField
        className="col-span-full"
        label={t('packageName')}
        value={packageName}
        onChange={setPackage}
        maxLength={256}
        mono
        error={tried && isEmpty ? t('needSomething') : undefined}
      />
      <TextField
        className="col-span-full"
        label={t('signers')}
        note={t('signersNote')}
        value={signers}
        onChange={setSigners}
        rows={2}
        mono
        error={tried ? signerError : undefined}
      />
      <TextField
        className="col-span-full"
        label={t('hashes')}
        note={t('hashesNote')}
        value={hashes}
        onChange={setHashes}
        rows={2}
        mono
        error={tried ? hashError : undefined}
      />
      <TextField
        className="col-span-full"
        label={t('channels')}
        note={t('channelsNote')}
        value={channels}
        onChange={setChannels}
      />
      <TextField className="col-span-full" label={t('noteField')} value={note} onChange={setNote} maxLength={500} />
    </FormDialog>
  )
}
