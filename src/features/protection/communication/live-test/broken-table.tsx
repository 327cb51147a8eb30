import { CircleAlert, CircleCheck } from 'lucide-react'
import { REFUSAL_REASONS } from '#domain/communication.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { componentTexts } from '../component-texts.ts'
import type { BrokenResult } from './live-test-state.ts'

/** Broken messages: what was done, the answer that every client gets, and the reason that only the gateway's log has. */
export function BrokenTable({ results }: { results: readonly BrokenResult[] }) {
  const t = useTexts(componentTexts)
  const language = useLanguage()
  const refused = results.filter(({ isRefused }) => isRefused).length
  return (
    <Section
      plain
      className="border-t"
      title={t('broken')}
      note={t('brokenCount', { count: results.length, refused })}
      actions={<span className="pr-2 text-12 text-muted">{t('brokenNote')}</span>}
    >
      <PlainTable
        label={t('broken')}
        rows={results}
        rowKey={({ kind }) => kind}
        columns={[
          {
            id: 'how',
            title: t('how'),
            className: 'whitespace-nowrap',
            cell: ({ kind }) => t(kind === 'path' ? 'path_' : kind),
          },
          {
            id: 'outer',
            title: t('outer'),
            cell: ({ status, answer, isRefused }) => (
              <code className="text-12 break-all">
                {status} {isRefused ? answer : '…'}
              </code>
            ),
          },
          {
            id: 'inner',
            title: t('inner'),
            cell: ({ outcome, isRefused }) =>
              REFUSAL_REASONS[outcome]?.[language] ?? (isRefused ? outcome : t('passedObserve')),
          },
          {
            id: 'result',
            title: t('result'),
            className: 'whitespace-nowrap',
            cell: ({ isRefused }) => (
              <span className="inline-flex items-center gap-1.5">
                <Icon
                  of={isRefused ? CircleCheck : CircleAlert}
                  size={14}
                  className={isRefused ? 'text-good-text' : 'text-warn-text'}
                />
                {t(isRefused ? 'refused' : 'passed')}
              </span>
            ),
          },
        ]}
      />
    </Section>
  )
}
