import { useTexts } from '#src/shared/i18n/texts.ts'
import type { FileDetail } from './compare-files.ts'
import { FactTable } from './fact-table.tsx'
import { fileTexts } from './file-texts.ts'

/** The permissions that the package asks for. */
export function PermissionsTab({ file }: { file: FileDetail }) {
  const t = useTexts(fileTexts)
  return (
    <FactTable
      label={t('permissions')}
      rows={file.facts.permissions}
      rowKey={({ name, max_sdk }) => `${name} ${max_sdk}`}
      textOf={({ name }) => name}
      columns={[
        {
          id: 'name',
          header: t('permission'),
          cell: ({ name }) => <code className="text-12 whitespace-normal [overflow-wrap:anywhere]">{name}</code>,
        },
        {
          id: 'usage',
          header: t('usage'),
          cell: ({ max_sdk, implied_by, text }) => (
            <span className="text-12 whitespace-normal text-muted">
              {[
                max_sdk !== null && t('maxSdk', { sdk: max_sdk }),
                implied_by && t('implied', { why: implied_by }),
                text,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          ),
        },
      ]}
    />
  )
}
