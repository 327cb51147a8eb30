import { KeyRound, Trash2 } from 'lucide-react'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import type { secondFactorState } from '#contracts/http/second-factor.ts'
import { formatDateTime } from '../format/time.ts'
import { useTexts } from '../i18n/texts.ts'
import { usePlatform } from '../session/platform-store.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { secondFactorTexts } from './second-factor-texts.ts'

/** The own passkeys. `problem`: why this page can make none. */
export function Passkeys({
  keys,
  problem,
  onAdd,
  onDelete,
}: {
  keys: ResponseOf<typeof secondFactorState>['data']['passkeys']
  problem: 'host' | 'browser' | undefined
  onAdd: () => void
  onDelete: (id: string) => void
}) {
  const t = useTexts(secondFactorTexts)
  const zone = usePlatform((state) => state.zone)
  const time = (at: number) => formatDateTime(at, zone, 'minute')
  return (
    <section className="rounded border">
      <div className="flex items-center justify-between gap-2 border-b px-3 py-1.5">
        <h3 className="font-medium">{t('passkeys')}</h3>
        {!problem && (
          <Button size="small" onPress={onAdd}>
            {t('addPasskey')}
          </Button>
        )}
      </div>
      {keys.length === 0 && <p className="px-3 py-2.5 text-muted">{t('noPasskeys')}</p>}
      <ul>
        {keys.map(({ id, name, host, created_at, last_used_at }) => (
          <li key={id} className="flex items-center gap-3 px-3 py-2 not-last:border-b">
            <Icon of={KeyRound} />
            <div className="min-w-0 flex-1">
              <div className="truncate">{name}</div>
              <div className="truncate text-12 text-muted">
                {t('passkeyMeta', { host, time: time(created_at) })}
                {last_used_at !== null && ` · ${t('passkeyUsed', { time: time(last_used_at) })}`}
              </div>
            </div>
            <IconButton size="small" icon={Trash2} label={t('dropPasskey', { name })} onPress={() => onDelete(id)} />
          </li>
        ))}
      </ul>
      {problem && (
        <p className="border-t px-3 py-2 text-12 text-muted">
          {t(problem === 'host' ? 'passkeyHost' : 'passkeyBrowser')}
        </p>
      )}
    </section>
  )
}
