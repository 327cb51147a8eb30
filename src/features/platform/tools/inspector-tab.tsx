import { useState } from 'react'
import { type InspectedPackage, toolPackage } from '#contracts/http/tools.ts'
import { TOOL_LIMITS } from '#contracts/tool-limits.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { CertificateList } from './certificate-list.tsx'
import { EntryTable } from './entry-table.tsx'
import { factName } from './fact-name.ts'
import { FACTS } from './facts.ts'
import { FileChoice } from './file-choice.tsx'
import { FileFacts } from './file-facts.tsx'
import { RunState } from './run-state.tsx'
import { SchemeList } from './scheme-list.tsx'
import { toolsTexts } from './tools-texts.ts'
import { useToolRun } from './use-tool-run.ts'

/** What a package is, without making it an asset. */
export function InspectorTab() {
  const t = useTexts(toolsTexts)
  const [file, setFile] = useState<File>()
  const run = useToolRun(toolPackage, ([upload = '']) => ({ upload }))
  const choose = (one: File) => {
    setFile(one)
    run.run([one])
  }
  const busy = run.state.phase === 'uploading' || run.state.phase === 'reading'
  return (
    <>
      <div className="px-5 pt-4 pb-3">
        <FileChoice label={t('packageFile')} hint={t('packageHint')} file={file} onFile={choose} isDisabled={busy} />
      </div>
      <RunState run={run} wait={t('packageWait')} {...(file && { onRetry: () => run.run([file]) })}>
        {({ data }) => <Inspected one={data} />}
      </RunState>
    </>
  )
}

function Inspected({ one }: { one: InspectedPackage }) {
  const t = useTexts(toolsTexts)
  const { facts } = one
  return (
    <div className="border-t">
      <div className="grid lg:grid-cols-2">
        <div className="min-w-0">
          <Section
            plain
            title={
              <span className="inline-flex items-center gap-2.5">
                {one.icon && <img src={`data:image/png;base64,${one.icon}`} alt="" width={24} height={24} />}
                {one.name || t('identity')}
              </span>
            }
            note={
              <span className="inline-flex items-center gap-2">
                {one.version}
                <Chip tone="neutral">{one.kind.toUpperCase()}</Chip>
              </span>
            }
          >
            <dl className={FACTS}>
              {one.package_name && (
                <Fact name={t('packageName')}>
                  <CopyText value={one.package_name} />
                </Fact>
              )}
              {one.version && (
                <Fact name={t('version')}>
                  {one.version_code ? `${one.version} (${one.version_code})` : one.version}
                </Fact>
              )}
              <FileFacts file={one.file} />
              {one.packer && (
                <Fact name={t('packer')}>
                  <Chip tone="warn">{one.packer}</Chip>
                </Fact>
              )}
            </dl>
          </Section>
          <Section plain title={t('content')} className="border-t">
            <dl className={FACTS}>
              {facts.identity.map(({ key, value }) => (
                <Fact key={key} name={factName(t, key)}>
                  {value === 'true' || value === 'false' ? t(value) : value}
                </Fact>
              ))}
              {one.entry_total > 0 && <Fact name={t('entries')}>{formatExact(one.entry_total)}</Fact>}
              {facts.dex_files > 0 && <Fact name={t('dex_files')}>{formatExact(facts.dex_files)}</Fact>}
              {facts.abis.length > 0 && <Fact name={t('abis')}>{facts.abis.join(', ')}</Fact>}
              {facts.notes.length > 0 && (
                <Fact name={t('notes')}>
                  <ul className="text-12 text-muted">
                    {facts.notes.map(({ key, detail }, at) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: notes may repeat and never move
                      <li key={at}>
                        <code>{key}</code> {detail}
                      </li>
                    ))}
                  </ul>
                </Fact>
              )}
            </dl>
          </Section>
        </div>
        <Section
          plain
          title={t('signer')}
          note={t(one.signature)}
          className="border-l max-lg:border-t max-lg:border-l-0"
        >
          <SchemeList schemes={facts.schemes} />
          {facts.certificates.length === 0 && <p className="px-5 pb-4 text-muted">{t('noCertificates')}</p>}
          <CertificateList certificates={facts.certificates} />
        </Section>
      </div>
      <Names
        title={t('permissions')}
        rows={facts.permissions.map(({ name, text }) => ({ name, note: text ?? '' }))}
        isOpen={facts.permissions.length <= 40}
      />
      <Names
        title={t('components')}
        rows={facts.components.map(({ kind, name, exported }) => ({
          name,
          note: exported ? `${kind} · ${t('exported')}` : kind,
        }))}
        isOpen={false}
      />
      {one.manifest && (
        <Section
          plain
          title={t('manifest')}
          note={one.manifest.cut ? t('manifestCut') : undefined}
          className="border-t"
        >
          <div className="px-5 pb-4">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard */}
            <pre tabIndex={0} className="max-h-120 overflow-auto rounded border bg-code px-3 py-2 text-12/[18px]">
              {one.manifest.text}
            </pre>
          </div>
        </Section>
      )}
      {one.entries.length > 0 && (
        <Section
          plain
          title={t('entries')}
          note={
            one.entry_total > one.entries.length
              ? t('firstEntries', { shown: formatExact(TOOL_LIMITS.entries), total: formatExact(one.entry_total) })
              : formatExact(one.entry_total)
          }
          className="border-t"
        >
          <EntryTable entries={one.entries} />
        </Section>
      )}
    </div>
  )
}

function Names({
  title,
  rows,
  isOpen,
}: {
  title: string
  rows: readonly { name: string; note: string }[]
  isOpen: boolean
}) {
  if (rows.length === 0) return null
  return (
    <details open={isOpen} className="border-t px-5 py-2.5">
      <summary className="cursor-pointer font-semibold">
        {title} <span className="text-12 font-normal text-muted">{formatExact(rows.length)}</span>
      </summary>
      <ul className="columns-1 gap-x-8 pt-2 pb-1 text-12 lg:columns-2">
        {rows.map(({ name, note }) => (
          <li key={`${name} ${note}`} className="break-inside-avoid py-0.5 [overflow-wrap:anywhere]">
            <code>{name}</code> {note && <span className="pl-1 text-muted">{note}</span>}
          </li>
        ))}
      </ul>
    </details>
  )
}
