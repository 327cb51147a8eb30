import { useState } from 'react'
import { type PackageComparison, toolCompare } from '#contracts/http/tools.ts'
import { formatBytes, formatExact } from '#src/shared/format/number.ts'
import { type Translate, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { factName } from './fact-name.ts'
import { FileChoice } from './file-choice.tsx'
import { RunState } from './run-state.tsx'
import { toolsTexts } from './tools-texts.ts'
import { useToolRun } from './use-tool-run.ts'

/** What changed from one package to another; neither becomes an asset. */
export function CompareTab() {
  const t = useTexts(toolsTexts)
  const [before, setBefore] = useState<File>()
  const [after, setAfter] = useState<File>()
  const run = useToolRun(toolCompare, ([one = '', other = '']) => ({ before: one, after: other }))
  const busy = run.state.phase === 'uploading' || run.state.phase === 'reading'
  const start = () => before && after && run.run([before, after])
  return (
    <>
      <div className="flex flex-col gap-3 px-5 pt-4 pb-3">
        <div className="flex gap-3 max-lg:flex-col">
          <FileChoice label={t('before')} file={before} onFile={setBefore} isDisabled={busy} />
          <FileChoice label={t('after')} file={after} onFile={setAfter} isDisabled={busy} />
        </div>
        <div className="flex items-center gap-3">
          <Button variant="primary" isDisabled={!before || !after || busy} onPress={() => void start()}>
            {t('compareNow')}
          </Button>
          <span className="text-12 text-muted">{t('packageHint')}</span>
        </div>
      </div>
      <RunState run={run} wait={t('compareWait')} onRetry={() => void start()}>
        {({ data }) => <Compared one={data} />}
      </RunState>
    </>
  )
}

function Compared({ one }: { one: PackageComparison }) {
  const t = useTexts(toolsTexts)
  const nameOf = ({ name, version, file }: PackageComparison['before']) => [name || file.name, version].join(' ')
  const { entries } = one
  return (
    <div className="border-t">
      <p className="flex flex-wrap items-center gap-2 px-5 py-3">
        <span className="font-semibold [overflow-wrap:anywhere]">
          {nameOf(one.before)} → {nameOf(one.after)}
        </span>
        <Chip tone={one.same_package ? 'good' : 'warn'}>{t(one.same_package ? 'samePackage' : 'otherPackage')}</Chip>
        <Chip tone={one.same_signer ? 'good' : 'bad'}>{t(one.same_signer ? 'sameSigner' : 'otherSigner')}</Chip>
      </p>
      <Section plain title={t('identity')} note={formatExact(one.identity.length)} className="border-t">
        <div className="overflow-x-auto px-5 pb-4">
          {one.identity.length === 0 && <p className="text-muted">{t('noChange')}</p>}
          {one.identity.length > 0 && (
            <table className="w-full min-w-160 table-fixed border-collapse text-12">
              <thead>
                <tr className="h-8 border-b text-left text-muted">
                  {[t('field'), t('before'), t('after')].map((head) => (
                    <th key={head} scope="col" className="pr-4 font-normal first:w-40">
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {one.identity.map(({ field, before, after }) => (
                  <tr key={field} className="border-b align-baseline last:border-0">
                    <td className="py-1.5 pr-4 text-muted">{factName(t, field)}</td>
                    {[before, after].map((value, at) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: before and after
                      <td key={at} className="py-1.5 pr-4 [overflow-wrap:anywhere]">
                        {shownValue(t, field, value)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      </Section>
      <Changes title={t('permissions')} changes={one.permissions} nameOf={(row) => row.name} noteOf={() => ''} />
      <Changes
        title={t('components')}
        changes={one.components}
        nameOf={(row) => row.name}
        noteOf={(row) => [row.kind, row.exported && t('exported'), row.permission].filter(Boolean).join(' · ')}
      />
      <Changes
        title={t('certificates')}
        changes={one.certificates}
        nameOf={(row) => row.subject}
        noteOf={(row) => row.sha256}
      />
      <Changes
        title={t('entries')}
        changes={entries}
        extra={t('unchanged', { number: formatExact(entries.unchanged) })}
        nameOf={(row) => row.name}
        noteOf={(row) => formatBytes(row.size)}
      />
      {one.manifest && one.manifest.lines.length > 0 && (
        <Section
          plain
          title={t('manifest')}
          note={one.manifest.cut ? t('manifestCut') : undefined}
          className="border-t"
        >
          <div className="px-5 pb-4">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard */}
            <pre tabIndex={0} className="max-h-120 overflow-auto rounded border bg-code py-2 text-12/[18px]">
              {one.manifest.lines.map(({ sign, text }, at) => (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat and never move
                  key={at}
                  className={`block w-max min-w-full px-3 ${sign === '+' ? 'bg-good-soft text-good-text' : sign === '-' ? 'bg-bad-soft text-bad-text' : ''}`}
                >
                  {`${sign} ${text}`}
                </span>
              ))}
            </pre>
          </div>
        </Section>
      )}
    </div>
  )
}

type Texts = Translate<keyof typeof toolsTexts.entries>

function shownValue(t: Texts, field: string, value: string): string {
  if (value === '') return '-'
  if (field === 'size') return t('bytes', { number: formatExact(Number(value)) })
  return field === 'signature' || value === 'true' || value === 'false' ? factName(t, value) : value
}

const SHOWN = 30

function Changes<Row>({
  title,
  changes: { added, removed, changed, total },
  nameOf,
  noteOf,
  extra,
}: {
  title: string
  changes: {
    added: readonly Row[]
    removed: readonly Row[]
    changed: readonly { before: Row; after: Row }[]
    total: number
  }
  nameOf: (row: Row) => string
  noteOf: (row: Row) => string
  extra?: string
}) {
  const t = useTexts(toolsTexts)
  const rows = [
    ...added.map((row) => ({ sign: '+', name: nameOf(row), note: noteOf(row), color: 'text-good-text' })),
    ...removed.map((row) => ({ sign: '−', name: nameOf(row), note: noteOf(row), color: 'text-bad-text' })),
    ...changed.map(({ before, after }) => ({
      sign: '~',
      name: nameOf(after),
      note: noteOf(before) === noteOf(after) ? noteOf(after) : `${noteOf(before)} → ${noteOf(after)}`,
      color: 'text-brand-text',
    })),
  ]
  const note = [total === 0 ? t('noChange') : t('changes', { number: formatExact(total) }), extra].filter(Boolean)
  const list = (part: typeof rows) => (
    <ul className="text-12">
      {part.map(({ sign, name, note: detail, color }) => (
        <li key={`${sign}${name}${detail}`} className="flex gap-2 py-0.5">
          <span aria-hidden className={`w-3 flex-none text-center font-semibold ${color}`}>
            {sign}
          </span>
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <span className="sr-only">{t(sign === '+' ? 'added' : sign === '~' ? 'altered' : 'removed')} </span>
            <code>{name}</code>
            {detail && <span className="pl-2 text-muted">{detail}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
  return (
    <Section plain title={title} note={note.join(' · ')} className="border-t">
      {rows.length > 0 && (
        <div className="px-5 pb-3">
          {list(rows.slice(0, SHOWN))}
          {rows.length > SHOWN && (
            <details>
              <summary className="cursor-pointer py-1 text-12 text-brand-text">
                {t('more', { number: formatExact(rows.length - SHOWN) })}
              </summary>
              {list(rows.slice(SHOWN))}
            </details>
          )}
          {total > rows.length && <p className="pt-1 text-12 text-muted">{t('changesCut')}</p>}
        </div>
      )}
    </Section>
  )
}
