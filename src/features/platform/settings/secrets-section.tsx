import type { UseQueryResult } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ApiError } from '#src/shared/api/api-error.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { type Column, SettingsTable } from './settings-table.tsx'
import { settingsTexts } from './settings-texts.ts'
import { TokenState } from './token-state.tsx'

/** What keys and tokens have in common. Times in milliseconds since 1970. */
export type Secret = {
  id: string
  name: string
  hint: string
  created_at: number
  expires_at?: number
  last_used_at: number | null
  revoked_at: number | null
}

export type SecretsSectionProps<Row extends Secret> = {
  title: string
  note: string
  /** What an empty list says beneath its title. */
  emptyHint: string
  answer: UseQueryResult<{ data: readonly Row[] }, ApiError>
  /** What only this kind has: columns after the name, and between creation and last use. */
  columns: readonly Column<Row>[]
  laterColumns?: readonly Column<Row>[]
  onCreate: () => void
  onRevoke: (id: string) => void
}

/** The list of secrets of one kind: none of them can be read again, each can be revoked, once and for all. */
export function SecretsSection<Row extends Secret>(props: SecretsSectionProps<Row>) {
  const t = useTexts(settingsTexts)
  const { title, answer } = props
  const list = answer.data?.data
  async function revoke({ id, name }: Row): Promise<void> {
    const text = t('revokeText', { name })
    if (await confirm({ title: t('revoke'), text, action: t('revoke'), danger: true })) props.onRevoke(id)
  }
  const columns: Column<Row>[] = [
    { id: 'name', title: t('name'), cell: (one) => one.name },
    ...props.columns,
    { id: 'created', title: t('created'), cell: (one) => <RelativeTime at={one.created_at} /> },
    ...(props.laterColumns ?? []),
    {
      id: 'used',
      title: t('used'),
      cell: (one) => (one.last_used_at === null ? t('never') : <RelativeTime at={one.last_used_at} />),
    },
    {
      id: 'state',
      title: t('state'),
      cell: (one) => <TokenState revokedAt={one.revoked_at} expiresAt={one.expires_at} />,
    },
    {
      id: 'actions',
      title: '',
      end: true,
      cell: (one) =>
        one.revoked_at === null && (
          <Button size="small" variant="quiet" onPress={() => revoke(one)}>
            {t('revoke')}
          </Button>
        ),
    },
  ]
  return (
    <Section
      plain
      title={title}
      note={props.note}
      state={answer.isPending ? 'loading' : 'ready'}
      actions={
        <Button icon={Plus} variant="primary" onPress={props.onCreate}>
          {t('create')}
        </Button>
      }
      className="pt-2"
    >
      {answer.error && !list ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : list?.length === 0 ? (
        <EmptyState kind="none" title={t('none')} hint={props.emptyHint} />
      ) : (
        <SettingsTable label={title} rows={list ?? []} columns={columns} />
      )}
    </Section>
  )
}

/** The column of a secret's first characters, by which one knows it again. */
export function Hint({ text }: { text: string }) {
  return <code className="text-12">{text}…</code>
}
