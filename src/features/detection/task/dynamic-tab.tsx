import type { ReactNode } from 'react'
import type { DynamicResult } from '#contracts/detection/dynamic-result.ts'
import { resultDynamic, resultScreenshot } from '#contracts/http/detection/result.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Fact } from '#src/shared/ui/fact.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { DynamicTables } from './dynamic-tables.tsx'
import { dynamicTexts } from './dynamic-texts.ts'
import type { PartProps } from './report-part.ts'
import { RunTimeline, secondsOf } from './run-timeline.tsx'

/** What was seen while the application ran on a phone: how it was run, its course, screenshots, then list by list. */
export function DynamicTab({ answer }: PartProps) {
  const result = useEndpoint(resultDynamic, { query: { id: answer.data.id } })
  const seen = result.data?.data
  if (result.error) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  if (!seen) return <Skeleton lines={10} height="28px" className="py-3" />
  return <Seen id={answer.data.id} seen={seen} />
}

function Seen({ id, seen }: { id: string; seen: DynamicResult }) {
  const t = useTexts(dynamicTexts)
  const { run, phone } = seen
  const length = secondsOf(run.length)
  const facts: [string, ReactNode][] = [
    [t('phone'), `${t('phoneValue', { name: nameOf(phone), release: phone.release })} (${phone.serial})`],
    [t('install'), t(run.install)],
    [
      t('length'),
      run.firstInput === null
        ? t('neverTouched', { length })
        : t('lengthValue', { length, untouched: secondsOf(run.firstInput) }),
    ],
    [t('inputs'), t('inputsValue', { count: run.inputs })],
    [t('log'), t('logValue', { count: run.logLines })],
    [t('privateFiles'), t(run.privateFiles ? 'privateSeen' : 'privateUnseen')],
  ]
  return (
    <>
      {!run.complete && <Warning>{t('partial')}</Warning>}
      {!run.tidied && <Warning>{t('untidy')}</Warning>}
      <dl className="grid grid-cols-[96px_minmax(0,1fr)_96px_minmax(0,1fr)] gap-x-3 gap-y-2 py-4 max-lg:grid-cols-[96px_minmax(0,1fr)]">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
      <Section plain title={t('course')} note={t('courseNote')} className="border-t pb-2 [&>header]:pl-0">
        <RunTimeline seen={seen} />
      </Section>
      {seen.screenshots.length > 0 && (
        <Section plain title={t('screenshots')} className="border-t [&>header]:pl-0">
          <ul className="flex gap-4 overflow-x-auto pb-4">
            {seen.screenshots.map((one) => {
              const words = t('picture', { when: t(one.when), at: secondsOf(one.at) })
              const href = downloadHref(resultScreenshot, { id, file: one.file })
              return (
                <li key={`${one.when} ${one.at}`} className="flex-none">
                  <a href={href} target="_blank" rel="noreferrer" className="block rounded border hover:border-brand">
                    <img
                      src={href}
                      alt={words}
                      width={one.width}
                      height={one.height}
                      loading="lazy"
                      className="h-[260px] w-auto rounded"
                    />
                  </a>
                  <span className="block pt-1 text-12 text-muted tabular-nums">{words}</span>
                </li>
              )
            })}
          </ul>
        </Section>
      )}
      <DynamicTables seen={seen} />
    </>
  )
}

/** The maker, unless the model says it already. */
const nameOf = ({ maker, model }: DynamicResult['phone']): string =>
  model.toLowerCase().startsWith(maker.toLowerCase()) ? model : `${maker} ${model}`

function Warning({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="mt-3 rounded bg-warn-soft px-3 py-2 text-warn-text">
      {children}
    </p>
  )
}
