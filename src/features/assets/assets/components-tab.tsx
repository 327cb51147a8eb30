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
        { id: 'kind', header: t('componentKind'), width: '120px', wide: true, cell: ({ kind }) => kind },
        {
          id: 'name',
          header: t('component'),
          cell: ({ kind, name, enabled }) => (
            <span className="flex flex-wrap items-center gap-x-2 whitespace-normal">
              <code className="text-12 [overflow-wrap:anywhere]">{name}</code>
              <span className="w-full text-12 text-muted sm:hidden">{kind}</span>
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
          wide: true,
          cell: ({ permission }) => (
            <code className="text-12 whitespace-normal [overflow-wrap:anywhere]">{permission || '–'}</code>
          ),
        },
      ]}
    />
  )
}
