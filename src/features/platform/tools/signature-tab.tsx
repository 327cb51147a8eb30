import { useState } from 'react'
import { type SignatureReading, toolSignature } from '#contracts/http/tools.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { CertificateList } from './certificate-list.tsx'
import { FACTS } from './facts.ts'
import { FileChoice } from './file-choice.tsx'
import { FileFacts } from './file-facts.tsx'
import { RunState } from './run-state.tsx'
import { SchemeList } from './scheme-list.tsx'
import { toolsTexts } from './tools-texts.ts'
import { useToolRun } from './use-tool-run.ts'

const KINDS = {
  signer: 'groupSigner',
  lineage: 'groupLineage',
  stamp: 'groupStamp',
  signed_by: 'groupSignedBy',
  certificate: 'groupCertificate',
  key: 'groupKey',
} as const

/** Signatures of a package, or the certificates that a file holds. */
export function SignatureTab() {
  const t = useTexts(toolsTexts)
  const [file, setFile] = useState<File>()
  const run = useToolRun(toolSignature, ([upload = '']) => ({ upload }))
  const busy = run.state.phase === 'uploading' || run.state.phase === 'reading'
  const choose = (one: File) => {
    setFile(one)
    run.run([one])
  }
  return (
    <>
      <div className="px-5 pt-4 pb-3">
        <FileChoice
          label={t('signatureFile')}
          hint={t('signatureHint')}
          file={file}
          onFile={choose}
          isDisabled={busy}
        />
      </div>
      <RunState run={run} wait={t('signatureWait')} {...(file && { onRetry: () => run.run([file]) })}>
        {({ data }) => <Reading one={data} />}
      </RunState>
    </>
  )
}

function Reading({ one }: { one: SignatureReading }) {
  const t = useTexts(toolsTexts)
  const zone = usePlatform((state) => state.zone)
  return (
    <div className="grid border-t lg:grid-cols-2">
      <div className="min-w-0">
        <Section
          plain
          title={t('file')}
          note={
            <span className="inline-flex flex-wrap items-center gap-2">
              <Chip tone="neutral">{one.form.toUpperCase()}</Chip>
              {one.state && t(one.state)}
            </span>
          }
        >
          <SchemeList schemes={one.schemes} />
          <dl className={FACTS}>
            <FileFacts file={one.file} />
          </dl>
          {one.private_keys > 0 && (
            <p className="px-5 pb-2 text-12 text-warn-text">{t('privateKeys', { count: one.private_keys })}</p>
          )}
          {one.locked > 0 && <p className="px-5 pb-2 text-12 text-muted">{t('locked', { count: one.locked })}</p>}
          {one.cut && <p className="px-5 pb-2 text-12 text-muted">{t('certificatesCut')}</p>}
        </Section>
        {one.blocks.length > 0 && (
          <Section plain title={t('blocks')} className="border-t">
            <div className="overflow-x-auto px-5 pb-4">
              <table className="w-full border-collapse text-12">
                <thead>
                  <tr className="h-8 border-b text-left text-muted">
                    {[t('blockId'), t('blockName')].map((head) => (
                      <th key={head} scope="col" className="pr-4 font-normal">
                        {head}
                      </th>
                    ))}
                    {[t('offset'), t('size')].map((head) => (
                      <th key={head} scope="col" className="pl-4 text-right font-normal">
                        {head}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {one.blocks.map(({ id, name, offset, size }) => (
                    <tr key={`${id} ${offset}`} className="h-8 border-b last:border-0">
                      <td className="pr-4">
                        <code>{id}</code>
                      </td>
                      <td className="pr-4">{name || t('unknownBlock')}</td>
                      <td className="pl-4 text-right">{formatExact(offset)}</td>
                      <td className="pl-4 text-right">{formatExact(size)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </Section>
        )}
        {one.issues.length > 0 && (
          <Section plain title={t('issues')} note={formatExact(one.issues.length)} className="border-t">
            <ul className="flex flex-col gap-1.5 px-5 pb-4 text-12">
              {one.issues.map(({ severity, key, detail }, at) => (
                <li
                  // biome-ignore lint/suspicious/noArrayIndexKey: issues may repeat and never move
                  key={at}
                  className={`[overflow-wrap:anywhere] ${severity === 'error' ? 'text-bad-text' : 'text-muted'}`}
                >
                  <code className="pr-2">{key}</code>
                  {detail}
                </li>
              ))}
            </ul>
          </Section>
        )}
      </div>
      <div className="min-w-0 border-l max-lg:border-t max-lg:border-l-0">
        {one.groups.length === 0 && <p className="p-5 text-muted">{t('noCertificates')}</p>}
        {one.groups.map((group, at) => (
          <Section
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat and groups never move
            key={at}
            plain
            title={`${t(KINDS[group.kind])} ${group.name}`}
            note={group.created === null ? undefined : formatDateTime(group.created, zone, 'day')}
            className="border-t first:border-t-0"
          >
            <CertificateList certificates={group.certificates} />
          </Section>
        ))}
      </div>
    </div>
  )
}
