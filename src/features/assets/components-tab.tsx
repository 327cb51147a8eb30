import { useTexts } from '#src/shared/i18n/texts.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import type { FileDetail } from './compare-files.ts'
import { FactTable } from './fact-table.tsx'
import { fileTexts } from './file-texts.ts'

/** The components of the package, exported ones marked. */
export function ComponentsTab({ file }: { file: FileDetail }) {
  const t = useTexts(fileTexts)
  return (
    <FactTable
      label={t('components')}
      rows={file.facts.components}
      rowKey={({ kind, name }) => `${kind} ${name}`}
      textOf={({ kind, name, permission }) => `${kind} ${name} ${permission}`}
      columns={[
        { id: 'kind', header: t('componentKind'), width: '120px', cell: ({ kind }) => kind },
        {
          id: 'name',
          header: t('component'),
          cell: ({ name, enabled }) => (
            <span className="inline-flex items-center gap-2">
              <code className="text-12">{name}</code>
              {!enabled && <Chip tone="neutral">{t('disabled')}</Chip>}
            </span>
          ),
        },
        {
          id: 'exported',
          header: t('exported'),
          width: '90px',
          cell: ({ exported, permission }) =>
            exported ? (
              <Chip tone={permission ? 'neutral' : 'warn'}>{t('true')}</Chip>
            ) : (
              <span className="text-muted">{t('false')}</span>
            ),
        },
        {
          id: 'permission',
          header: t('guarded'),
          cell: ({ permission }) => <code className="text-12">{permission || '–'}</code>,
        },
      ]}
    />
  )
}
